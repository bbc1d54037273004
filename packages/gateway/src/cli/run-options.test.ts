import { describe, expect, test, vi } from 'vitest';
import { CONFIG_DEFAULTS } from '../config/config-defaults.ts';
import { memoryIo } from './memory-io.case.ts';
import { readArguments } from './read-arguments.ts';
import { run } from './run.ts';
import { RUN_OPTIONS, withRunOptions } from './run-options.ts';

/** For all that has to be loaded first, on a busy machine. */
const PATIENCE = { timeout: 20_000 };

describe('commands that run a gateway', () => {
  test('tell programs on one line where it listens', { timeout: 30_000 }, async () => {
    const io = memoryIo({ env: { HOLDFAST_LOG: 'silent' } });
    const args = ['--upstream', 'http://127.0.0.1:9/v1', '--port', '0', '--json', '--no-history'];
    const ended = run(['proxy', ...args], io);
    await vi.waitFor(() => expect(io.out()).toMatch(/\n$/), PATIENCE);

    const { url } = JSON.parse(io.out()) as { url: string };
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    io.signal('SIGTERM');
    expect(await ended).toBe(0);
  });

  test('keep no history where they are told not to', () => {
    const config = { observe: CONFIG_DEFAULTS.observe };
    const historyWith = (...args: string[]): boolean =>
      withRunOptions(config, readArguments(args, RUN_OPTIONS)).observe.history;
    expect(historyWith()).toBe(true);
    expect(historyWith('--no-history')).toBe(false);
  });

  test.each([
    [
      ['mcp', '--json', '--', 'node'],
      '--json: expected with --listen only, as standard output is for the client',
    ],
    [['parse', '--json', '--explain'], '--explain is for people: expected it without --json'],
  ])('refuse %j', async (args, message) => {
    const io = memoryIo();
    expect(await run(args, io)).toBe(2);
    expect(io.err()).toBe(`holdfast: ${message}\n`);
  });
});
