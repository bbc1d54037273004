import { describe, expect, it } from 'vitest';
import { runNode } from './support/run-node.ts';

/** Runs a program that prints how long it took, and gives what it printed. */
async function run(program: string): Promise<string> {
  const code = `import { withTimeout } from '@holdfast/core/guard';
    const from = performance.now();
    process.on('exit', () => console.log(performance.now() - from < 5000 ? 'soon' : 'late'));
    ${program}`;
  const { stdout, stderr } = await runNode(['--input-type=module', '--eval', code]);
  return stdout + stderr;
}

describe('a process that uses timeouts', { timeout: 60_000 }, () => {
  it('ends when its work is done, however long the timeout', async () => {
    const program = `console.log(await withTimeout(() => 'done', 3_600_000));`;
    expect(await run(program)).toBe('done\nsoon\n');
  });

  it('stays until the timeout of a call that hangs, though nothing else keeps it', async () => {
    const program = `const hangs = () => new Promise(() => undefined);
      console.log(await withTimeout(hangs, 120).catch((error) => error.code));`;
    expect(await run(program)).toBe('tool-timeout\nsoon\n');
  });
});
