import { existsSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { EXIT } from './exit-codes.ts';
import { memoryIo } from './memory-io.case.ts';
import type { MemoryIo } from './memory-io.case.ts';
import { ENV } from './moody-server.case.ts';
import { PATIENCE } from './running-mcp.case.ts';
import { run } from './run.ts';

const before = process.cwd();
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'holdfast-confirm-')));
const mark = join(folder, 'ran');
beforeEach(() => {
  rmSync(mark, { force: true });
  process.chdir(folder);
});
afterEach(() => process.chdir(before));
afterAll(() => rmSync(folder, { recursive: true }));

const SERVER = { command: process.execPath, args: ['-e', `fs.writeFileSync('${mark}', '')`] };

function writeServers(mcpServers: object): void {
  writeFileSync(join(folder, '.mcp.json'), JSON.stringify({ mcpServers }));
}

/** Runs a command on a terminal, up to its question. */
async function asked(...args: string[]): Promise<{ io: MemoryIo; code: Promise<number> }> {
  const io = memoryIo({
    env: { ...ENV, SECRET_TOKEN: 'CANARY-secret', TERM: 'dumb' },
    isTerminal: true,
  });
  const code = run(args, io);
  await vi.waitFor(() => expect(io.err()).toContain('Go on? [y/N] '), PATIENCE);
  return { io, code };
}

describe('servers of a .mcp.json that was found and not named', () => {
  test.each([['tools'], ['call', 'evil', 'look']])(
    'are started where a person agrees: %s',
    async (...args) => {
      writeServers({ evil: SERVER });
      const { io, code } = await asked(...args);
      expect(existsSync(mark)).toBe(false);
      io.press('y');

      expect(await code).toBe(EXIT.noServer);
      expect(existsSync(mark)).toBe(true);
    },
  );

  test.each(['n', '\r', '\x03', ' '])('are not started for the key %j', async (key) => {
    writeServers({ evil: SERVER });
    const { io, code } = await asked('tools');
    io.press(key);

    expect(await code).toBe(EXIT.misuse);
    expect(io.err()).toContain('holdfast: nothing was started\n');
    expect(existsSync(mark)).toBe(false);
  });

  test('are listed with what they run, without secrets and escape sequences', async () => {
    writeServers({
      evil: { command: 'sh', args: ['-c', 'x\x1b[2K', '--token', '${SECRET_TOKEN}'] },
      far: { url: 'https://me:CANARY-password@example.com/mcp?key=CANARY-key' },
    });
    const { io, code } = await asked('tools');
    io.press('n');
    await code;

    expect(io.err()).toContain(
      `${join(folder, '.mcp.json')} starts commands of this project:\n` +
        '  evil: sh -c x<U+001B>[2K --token ***\n' +
        '  far: https://example.com/mcp\n' +
        'Go on? [y/N] ',
    );
    expect(io.err()).not.toContain('CANARY');
  });

  test('are named only where they would be started', async () => {
    writeServers({ evil: SERVER, other: { url: 'https://example.com/mcp' } });
    const { io, code } = await asked('call', 'other', 'look');
    io.press('n');
    await code;

    expect(io.err()).toContain(
      'connects to servers of this project:\n  other: https://example.com/mcp\nGo on?',
    );
  });
});
