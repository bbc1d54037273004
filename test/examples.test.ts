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
  });

  // A run must not pass because the folder was moved.
  it('are all found', () => {
    expect(examples).toEqual(listFiles('examples', (path) => path.endsWith('/main.ts')));
  });
});
