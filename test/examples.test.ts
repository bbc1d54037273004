import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { listFiles, readText, root } from './support/repository.ts';
import { runNode } from './support/run-node.ts';

const examples = listFiles('examples', (path) => /^examples\/[^/]+\/main\.ts$/.test(path));

describe('examples', () => {
  it.each(examples)('%s runs and prints what it promises', { timeout: 60_000 }, async (example) => {
    const { code, stdout, stderr } = await runNode([example]);
    const promised = join(dirname(example), 'output.txt');

    expect(code, stderr).toBe(0);
    if (existsSync(join(root, promised))) expect(stdout).toBe(readText(promised));
    // One that needs a part says so where it is missing; where everything is tested, nothing may be.
    if (process.env['CI'] === 'true') expect(stdout).not.toContain('left out:');
  });

  it.each(examples)('%s is short, and something in it can fail', (example) => {
    const source = readText(example);

    expect(source.trimEnd().split('\n').length).toBeLessThan(60);
    expect(
      source.includes("from 'node:assert/strict'") ||
        existsSync(join(root, dirname(example), 'output.txt')),
    ).toBe(true);
  });

  // A run must not pass because the folder was moved.
  it('are all found', () => {
    expect(examples).toEqual(listFiles('examples', (path) => path.endsWith('/main.ts')));
  });
});
