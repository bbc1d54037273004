import { describe, expect, it } from 'vitest';
import { undocumentedNames } from '../scripts/reference/api-page.ts';
import { REFERENCE_FOLDER, referencePages } from '../scripts/reference/reference-pages.ts';
import { coreEntries, listFiles, readText } from './support/repository.ts';

/** The names of pages that are there, below their folder. */
const writtenPages = (): string[] =>
  listFiles(REFERENCE_FOLDER, () => true).map((path) => path.slice(REFERENCE_FOLDER.length + 1));

describe('the reference', () => {
  it('says what the source says', { timeout: 30_000 }, async () => {
    const pages = await referencePages();
    const written = writtenPages();
    const stale = [...pages].flatMap(([name, text]) =>
      written.includes(name) && readText(`${REFERENCE_FOLDER}/${name}`) === text ? [] : [name],
    );
    const left = written.filter((name) => !pages.has(name));

    expect({ stale, left }, 'run npm run docs:reference').toEqual({ stale: [], left: [] });
  });

  it.each(coreEntries())('has a comment for every name of $specifier', (entry) => {
    expect(undocumentedNames(entry), 'write a comment above each of them').toEqual([]);
  });
});
