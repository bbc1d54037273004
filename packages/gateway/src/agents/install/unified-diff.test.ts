import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { unifiedDiff } from './unified-diff.ts';

const folder = mkdtempSync(join(tmpdir(), 'holdfast-diff-'));
afterAll(() => rmSync(folder, { recursive: true }));

const hasPatch = ((): boolean => {
  try {
    execFileSync('patch', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

describe('a difference', () => {
  test('shows three lines around what changed', () => {
    const before = 'a\nb\nc\nd\ne\nf\ng\nh\n';
    expect(unifiedDiff(before, before.replace('e\n', 'E\ne2\n'))).toEqual([
      '@@ -2,7 +2,8 @@',
      ' b',
      ' c',
      ' d',
      '-e',
      '+E',
      '+e2',
      ' f',
      ' g',
      ' h',
    ]);
  });

  test('shows changes that are far apart on their own', () => {
    const lines = Array.from({ length: 30 }, (_, index) => `${index}\n`);
    const after = lines.with(2, 'two\n').with(25, 'x\n');
    const shown = unifiedDiff(lines.join(''), after.join(''));
    expect(shown.filter((line) => line.startsWith('@@'))).toEqual([
      '@@ -1,6 +1,6 @@',
      '@@ -23,7 +23,7 @@',
    ]);
  });

  test('says where a line end is missing, and shows one that changed', () => {
    expect(unifiedDiff('a', 'a\n')).toEqual([
      '@@ -1 +1 @@',
      '-a',
      '\\ No newline at end of file',
      '+a',
    ]);
    expect(unifiedDiff('a\r\n', 'a\n')).toEqual(['@@ -1 +1 @@', '-a\r', '+a']);
  });

  test('of a new file, of one that goes, and of none', () => {
    expect(unifiedDiff('', 'a\nb\n')).toEqual(['@@ -0,0 +1,2 @@', '+a', '+b']);
    expect(unifiedDiff('a\n', '')).toEqual(['@@ -1 +0,0 @@', '-a']);
    expect(unifiedDiff('a\nb', 'a\nb')).toEqual([]);
  });

  test('two big files with nothing in common are shown whole', () => {
    const before = Array.from({ length: 3_000 }, (_, index) => `a${index}\n`).join('');
    const shown = unifiedDiff(before, before.replaceAll('a', 'b'));
    expect(shown).toHaveLength(6_001);
    expect(shown[0]).toBe('@@ -1,3000 +1,3000 @@');
  });

  test.runIf(hasPatch)('is what patch makes the one of the other with', () => {
    const text = fc
      .array(fc.constantFrom('a', 'b', 'c', '', '}'), { maxLength: 25 })
      .chain((lines) => fc.constantFrom('', '\n').map((end) => lines.join('\n') + end));
    const file = join(folder, 'file');
    fc.assert(
      fc.property(text, text, (before, after) => {
        const shown = unifiedDiff(before, after);
        fc.pre(shown.length > 0 && after !== '');
        writeFileSync(file, before);
        execFileSync('patch', ['--quiet', '--fuzz=0', file], {
          input: `--- file\n+++ file\n${shown.join('\n')}\n`,
        });
        expect(execFileSync('cat', [file], { encoding: 'utf8' })).toBe(after);
      }),
      { numRuns: 60 },
    );
  });
});
