import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fillPage } from './support/failure-types/fill-page.ts';
import { INDEX_SECTIONS, SECTIONS, TYPES } from './support/failure-types/sections.ts';
import { listFiles, readText, root } from './support/repository.ts';

const pageOf = (type: string): string => `docs/failure-types/${type}.md`;

// What repeats the code is written by `npx vitest run test/docs-failure-types.test.ts -u`.
describe('the pages on types of failures', () => {
  it.each(TYPES)('there is one on %s', (type) => {
    expect(existsSync(join(root, pageOf(type))), `${pageOf(type)} is missing`).toBe(true);
    expect(readText(pageOf(type)).split('\n')[0]).toBe(`# Failure type: ${type}`);
  });

  it.each(TYPES)('the one on %s says what the code does', async (type) => {
    const sections = Object.fromEntries(
      Object.entries(SECTIONS).map(([name, make]) => [name, () => make(type)]),
    );
    const page = await fillPage(pageOf(type), readText(pageOf(type)), sections);
    await expect(page).toMatchFileSnapshot(`../${pageOf(type)}`);
  });

  it('the list of them says what the code does', async () => {
    const index = pageOf('README');
    const page = await fillPage(index, readText(index), INDEX_SECTIONS);
    await expect(page).toMatchFileSnapshot(`../${index}`);
  });

  it('there is none on a type that does not exist', () => {
    const pages = listFiles('docs/failure-types', (path) => path.endsWith('.md'));
    expect(pages).toEqual([...TYPES, 'README'].map(pageOf).sort());
  });

  it('a page without a section is refused', async () => {
    await expect(fillPage('made-up.md', '# Text', { facts: () => '' })).rejects.toThrow(
      'made-up.md has no <!-- facts --> … <!-- end -->',
    );
  });
});
