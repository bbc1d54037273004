import { posix } from 'node:path';
import { linksOf } from '../../test/support/markdown-links.ts';
import { readPage } from '../../test/support/markdown.ts';

/** A page of the documentation, and those of its folder if it is the folder's own page. */
export interface NavPage {
  readonly title: string;
  /** From the root of the repository. */
  readonly path: string;
  readonly pages: readonly NavPage[];
}

export interface NavSection {
  readonly title: string;
  readonly pages: readonly NavPage[];
}

type ReadText = (path: string) => string;

const HOME = 'docs/README.md';

/**
 * The sections of docs/README.md and the pages that their tables with the column `page` link to. Where such a page is
 * the README of a folder, the pages of the folder that it links to lie under it, unless they have a place already.
 */
export function readDocsNav(readText: ReadText): readonly NavSection[] {
  const sections: { title: string; listed: Listed[] }[] = [];
  let isInTable = false;
  for (const line of readPage(readText(HOME)).prose) {
    const heading = /^## (.+)$/.exec(line)?.[1];
    if (heading !== undefined) sections.push({ title: heading, listed: [] });
    if (!line.startsWith('|')) isInTable = false;
    else if (line.startsWith('| page |')) isInTable = true;
    else if (isInTable) sections.at(-1)?.listed.push(...listedIn(firstCell(line), HOME));
  }
  const taken = new Set(sections.flatMap(({ listed }) => listed.map(({ path }) => path)));
  return sections
    .filter(({ listed }) => listed.length > 0)
    .map(({ title, listed }) => ({
      title,
      pages: listed.map((page) => withFolder(page, taken, readText)),
    }));
}

type Listed = Omit<NavPage, 'pages'>;

const firstCell = (row: string): string => row.slice(2).split(' | ', 1)[0] ?? '';

/** Pages that a text links to; a heading of a page is no page. */
const listedIn = (text: string, page: string): Listed[] =>
  linksOf(text)
    .filter(({ target }) => /^[^:#]+\.md$/.test(target))
    .map(({ title, target }) => ({ title, path: posix.join(posix.dirname(page), target) }));

function withFolder(page: Listed, taken: Set<string>, readText: ReadText): NavPage {
  const folder = `${posix.dirname(page.path)}/`;
  if (!page.path.endsWith('/README.md') || page.path === HOME) return { ...page, pages: [] };
  const below = listedIn(readText(page.path), page.path).filter(({ path }) => {
    if (!path.startsWith(folder) || taken.has(path)) return false;
    taken.add(path);
    return true;
  });
  return { ...page, pages: below.map((one) => withFolder(one, taken, readText)) };
}

/** What is wrong with the list of pages: each has one place, and only one. */
export function navProblems(nav: readonly NavSection[], pages: readonly string[]): string[] {
  const places = placesOf(nav);
  const repeated = [...places]
    .filter(([, listed]) => listed.length > 1)
    .map(
      ([page, listed]) => `${page} is listed ${listed.length} times: in ${listed.join(', in ')}`,
    );
  const missing = unlistedPages(nav, pages).map(
    (page) => `${page} is not listed: ${whereToList(page, pages)}`,
  );
  return [...missing, ...repeated];
}

/** Pages that have no place; the home page needs none. */
export function unlistedPages(nav: readonly NavSection[], pages: readonly string[]): string[] {
  const places = placesOf(nav);
  return pages.filter((page) => page !== HOME && !places.has(page));
}

function placesOf(nav: readonly NavSection[]): Map<string, string[]> {
  const places = new Map<string, string[]>();
  const put = (page: NavPage, where: string): void => {
    places.set(page.path, [...(places.get(page.path) ?? []), where]);
    for (const below of page.pages) put(below, page.path);
  };
  for (const { title, pages } of nav) for (const page of pages) put(page, `"${title}"`);
  return places;
}

function whereToList(page: string, pages: readonly string[]): string {
  const index = `${posix.dirname(page)}/README.md`;
  return index !== HOME && index !== page && pages.includes(index)
    ? `link to it in ${index}`
    : `add it to the table of its section in ${HOME}`;
}
