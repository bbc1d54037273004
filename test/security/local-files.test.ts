import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { chatBodyOf } from '../support/chat-stream-of.ts';
import { startGatewayHere } from '../support/gateway-here.ts';
import { runCli } from '../support/run-cli.ts';
import { startScriptedUpstream } from '../support/scripted-upstream.ts';
import type { ScriptedUpstream } from '../support/scripted-upstream.ts';

const isWindows = process.platform === 'win32';
const base = mkdtempSync(join(tmpdir(), 'holdfast-files-'));
let folder = '';
let count = 0;
beforeEach(() => {
  folder = join(base, String(++count));
  mkdirSync(folder);
});

let upstream: ScriptedUpstream;
beforeAll(async () => {
  upstream = await startScriptedUpstream({ body: chatBodyOf('Hello.') });
});
afterAll(async () => {
  await upstream.close();
  rmSync(base, { recursive: true });
});

/** Has a turn traced into a folder. Returns what was logged of it. */
async function traceInto(traceDir: string, afterStart = (): void => undefined): Promise<string> {
  const gateway = await startGatewayHere({ upstreams: [{ url: upstream.url }], traceDir });
  afterStart();
  await fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'Hi' }] }),
  }).then((answer) => answer.text());
  await gateway.close();
  return JSON.stringify(
    gateway.log.entries.map(({ message, fields }) => [message, String(fields['error'])]),
  );
}

describe.skipIf(isWindows)('traceDir', () => {
  test('is made, and gets a trace of each turn', async () => {
    const traces = join(folder, 'made', 'traces');
    expect(await traceInto(traces)).not.toContain('traces cannot be written');
    expect(readdirSync(traces)).toHaveLength(1);
  });

  test('that is a link is not followed', async () => {
    const elsewhere = join(folder, 'elsewhere');
    const traces = join(folder, 'traces');
    mkdirSync(elsewhere);
    symlinkSync(elsewhere, traces);

    expect(await traceInto(traces)).toContain(
      `traces cannot be written","Error: ${traces} is a symbolic link; expected a folder`,
    );
    expect(readdirSync(elsewhere)).toEqual([]);
  });

  test('that becomes a link while the gateway runs is not followed', async () => {
    const elsewhere = join(folder, 'elsewhere');
    const traces = join(folder, 'traces');
    mkdirSync(elsewhere);
    const logged = await traceInto(traces, () => {
      rmSync(traces, { recursive: true, force: true });
      symlinkSync(elsewhere, traces);
    });

    expect(logged).toContain('is a symbolic link; expected a folder');
    expect(readdirSync(elsewhere)).toEqual([]);
  });

  test.skipIf(process.getuid?.() !== 0)('of another user is refused', async () => {
    const traces = join(folder, 'traces');
    mkdirSync(traces);
    chownSync(traces, 65_534, 65_534);
    chmodSync(traces, 0o777);

    expect(await traceInto(traces)).toContain(
      `traces cannot be written","Error: ${traces} belongs to another user`,
    );
    expect(readdirSync(traces)).toEqual([]);
  });
});

/** A file of one server that leaves a mark where it is started. */
function project(entry: object = {}): { readonly file: string; readonly ran: () => boolean } {
  const mark = join(folder, 'ran');
  const file = join(folder, '.mcp.json');
  const server = { command: process.execPath, args: ['-e', `fs.writeFileSync('${mark}', '')`] };
  writeFileSync(file, JSON.stringify({ mcpServers: { evil: { ...server, ...entry } } }));
  return { file, ran: () => existsSync(mark) };
}

describe.skipIf(isWindows)('an envFile', () => {
  const place = (): string => join(folder, 'it');
  test.each([
    ['a device', () => symlinkSync('/dev/zero', place()), 'is not a regular file'],
    ['a pipe', () => void execFileSync('mkfifo', [place()]), 'is not a regular file'],
    ['a folder', () => mkdirSync(place()), 'is not a regular file'],
    [
      'too large',
      () => writeFileSync(place(), 'A=1\n'.repeat(300_000)),
      'has more than 1048576 bytes',
    ],
  ])('that is %s is an error at once, and starts nothing', async (_, make, why) => {
    const { file, ran } = project({ envFile: 'it' });
    make();
    const { code, stderr } = await runCli(['tools', '--config', file]);

    expect(stderr).toContain(`mcpServers.evil.envFile: expected a file that can be read, got `);
    expect(stderr).toContain(`${place()} ${why}`);
    expect(code).toBe(2);
    expect(ran()).toBe(false);
  });

  test('may be reached by a link', async () => {
    writeFileSync(place(), 'A=1');
    symlinkSync(place(), join(folder, 'link'));
    const { file, ran } = project({ envFile: 'link' });
    await runCli(['tools', '--config', file]);

    expect(ran()).toBe(true);
  });
});

describe('a .mcp.json that was found and not named', () => {
  test.each([
    ['tools'],
    ['call', 'evil', 'look'],
    ['mcp'],
    ['mcp', '--listen', '127.0.0.1:0', '--no-history'],
  ])('starts nothing without a terminal and --yes: %s', async (...args) => {
    const { file, ran } = project();
    const { code, stderr } = await runCli(args, '', folder);

    expect(stderr).toContain(`${file} starts commands of this project`);
    expect(stderr).toContain(`evil: ${process.execPath} -e `);
    expect(stderr).toContain('--yes');
    expect(code).toBe(2);
    expect(ran()).toBe(false);
  });

  test.each([['tools'], ['call', 'evil', 'look']])(
    'starts its commands with --yes: %s',
    async (...args) => {
      const { ran } = project();
      await runCli([...args, '--yes'], '', folder);

      expect(ran()).toBe(true);
    },
  );

  test('is served by holdfast mcp with --yes', async () => {
    project();
    expect(await runCli(['mcp', '--yes', '--log', 'error'], '', folder)).toEqual({
      code: 0,
      stdout: '',
      stderr: '',
    });
  });
});
