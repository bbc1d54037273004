import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { root } from './support/repository.ts';

const cache = mkdtempSync(join(tmpdir(), 'holdfast-fuzz-'));
afterAll(() => rmSync(cache, { recursive: true, force: true }));

/** Runs a toy as `npm run fuzz` does. */
function fuzz(...args: readonly string[]): Promise<{ code: number; output: string }> {
  const command = [join(root, 'fuzz', 'run.mjs'), '--cache', cache, ...args];
  return new Promise((resolve) => {
    execFile(process.execPath, command, { cwd: root }, (error, stdout, stderr) => {
      const code = error === null ? 0 : Number(error.code ?? 1);
      resolve({ code, output: stdout + stderr });
    });
  });
}

describe('the fuzzer', () => {
  const door = ['--target', 'toy-locked-door', '--executions', '400000', '--seed', '5'];

  test('opens a door of eight wheels, as it sees each wheel move', async () => {
    const { code, output } = await fuzz(...door);
    expect(output).toContain('the door stays closed');
    expect(code).toBe(1);
  });

  test('does not open it where it does not look', async () => {
    const { code, output } = await fuzz(...door, '--blind');
    expect(output).toContain('0 findings');
    expect(code).toBe(0);
  });

  test('notices what costs more than the text grows', async () => {
    const { code, output } = await fuzz('--target', 'toy-slow-words', '--executions', '500');
    expect(output).toContain('what reading costs grows no faster than the text');
    expect(code).toBe(1);
  });

  test('finds again what it found, whatever it was', async () => {
    const found = { target: 'toy-slow-words', input: { text: 'a ', choice: 1 } };
    const harmless = { target: 'toy-locked-door', input: { text: '', choice: 0 } };
    const file = join(cache, 'finds.json');
    writeFileSync(file, JSON.stringify({ finds: [found, harmless] }));
    const { code, output } = await fuzz('--replay', file);
    expect(output).toContain('toy-slow-words: what reading costs grows no faster than the text');
    expect(output).toContain('toy-locked-door: nothing is wrong with it');
    expect(code).toBe(1);
  });

  test('ends what does not end, and tells the input', async () => {
    const args = ['--target', 'toy-endless-wheel', '--executions', '2000', '--limit', '0.4'];
    const { code, output } = await fuzz(...args);
    expect(output).toMatch(/toy-endless-wheel: it does not end\n {3}text: ".*b/);
    expect(code).toBe(1);
  });
});
