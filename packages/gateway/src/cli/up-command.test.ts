import { createServer } from 'node:http';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { memoryIo } from './memory-io.case.ts';
import { run } from './run.ts';

/** For a process that has to load everything first, on a busy machine. */
const PATIENCE = { timeout: 8_000 };

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdfast-up-'));
  file = join(folder, 'holdfast.yaml');
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

describe('holdfast up', () => {
  test('tells all that is wrong with the file, and ends with 2', async () => {
    writeFileSync(file, 'upstreams:\n  - url: localhost\ntokn: x\n');
    const io = memoryIo();
    expect(await run(['up', '--config', file], io)).toBe(2);
    expect(io.err()).toBe(
      `holdfast: ${file}:2:10: upstreams[0].url: expected an http or https URL such as http://localhost/v1, got "localhost"\n` +
        `holdfast: ${file}:3:1: tokn: unknown key; did you mean token?\n`,
    );
  });

  test('shows nothing of a file that a terminal would obey', async () => {
    writeFileSync(file, '"\\e[2J": 1\nupstreams: [{ url: "\\e[2J" }]\n');
    const io = memoryIo();
    await run(['up', '--config', file], io);
    expect(io.err()).not.toContain('\x1b');
  });

  test.each([
    [['up', '--config', 'no-such.yaml'], 'cannot read no-such.yaml: there is no such file'],
    [['up', 'other.yaml'], 'expected options only, got other.yaml; a file goes behind --config'],
    [
      ['up', '--config', 'a.yaml', '--log', 'x'],
      '--log: expected debug, info, warn, error or silent, got "x"',
    ],
  ])('refuses %j', async (args, message) => {
    const io = memoryIo();
    expect(await run(args, io)).toBe(2);
    expect(io.err()).toBe(`holdfast: ${message}\n`);
  });

  test('runs what the file says, and loads it again at SIGHUP', async () => {
    const asked: string[] = [];
    const upstream = createServer((request, response) => {
      asked.push(String(request.headers['x-team']));
      response.end('{"object":"list","data":[]}');
    });
    await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));
    const address = upstream.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    const text = (team: string): string =>
      `listen: 127.0.0.1:0\nlog: { level: silent }\nupstreams:\n` +
      `  - url: http://127.0.0.1:${port}/v1\n    headers: { x-team: ${team} }\n`;
    writeFileSync(file, text('one'));
    const io = memoryIo();
    const ended = run(['up', '--config', file], io);
    const url = await vi.waitFor(() => {
      const found = /http:\S+/.exec(io.out())?.[0];
      if (found === undefined) throw new Error(`nothing printed yet: ${io.err()}`);
      return found;
    }, PATIENCE);

    await fetch(`${url}/v1/models`);
    writeFileSync(file, text('two'));
    io.signal('SIGHUP');
    await fetch(`${url}/v1/models`);
    expect(asked).toEqual(['one', 'two']);

    io.signal('SIGTERM');
    expect(await ended).toBe(0);
    expect(io.signal('SIGHUP')).toBe(false);
    upstream.closeAllConnections();
    upstream.close();
  });
});
