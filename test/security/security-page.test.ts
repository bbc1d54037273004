import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tableRows } from '../support/markdown-tables.ts';
import { listFiles, readText, root } from '../support/repository.ts';

const PAGE = 'docs/security.md';
const rows = tableRows(PAGE, '| what may happen | what Holdfast does | shown by |');

interface Proof {
  readonly file: string;
  readonly title: string;
}

/** Files in backticks, each followed by titles in quotation marks. */
function proofsIn(cell: string): readonly Proof[] {
  const proofs: Proof[] = [];
  let file = '';
  for (const [, named, title] of cell.matchAll(/`([^`]+)`|"([^"]+)"/g)) {
    if (named !== undefined) file = named;
    else if (title !== undefined) proofs.push({ file, title });
  }
  return proofs;
}

/** What keeps a proof from being one. */
function problemWith({ file, title }: Proof): string | undefined {
  if (!/\.test\.tsx?$/.test(file) || !existsSync(join(root, file))) return `${file} is no test`;
  const source = readText(file);
  const isThere = ["'", '"', '`'].some((quote) => source.includes(quote + title + quote));
  return isThere ? undefined : `${file} has no test "${title}"`;
}

describe('the table of attacks and faults', () => {
  it('has as many rows as there are threats', () => {
    expect(rows.length).toBeGreaterThan(50);
  });

  it.each(rows)('is shown by tests that are there: %s', (...cells) => {
    const [, , shownBy = ''] = cells;
    const proofs = proofsIn(shownBy);

    expect(cells).toHaveLength(3);
    expect(proofs).not.toEqual([]);
    expect(proofs.map(problemWith).filter((problem) => problem !== undefined)).toEqual([]);
  });

  it('names every test of security', () => {
    const page = readText(PAGE);
    const files = listFiles('test/security', (path) => path.endsWith('.test.ts'));

    expect(files.length).toBeGreaterThan(5);
    expect(files.filter((file) => !page.includes(`\`${file}\``))).toEqual([]);
  });

  it('would notice a title that is not there, and a file that is none', () => {
    const cell = '`test/lockfile.test.ts` "no such title"; `test/none.test.ts` "x"';

    expect(proofsIn(cell).map(problemWith)).toEqual([
      'test/lockfile.test.ts has no test "no such title"',
      'test/none.test.ts is no test',
    ]);
  });
});
