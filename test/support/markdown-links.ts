import { existsSync } from 'node:fs';
import { join, posix } from 'node:path';
import { readPage } from './markdown.ts';
import { readText, root } from './repository.ts';

/** Links of a page to files and headings of this repository that are not there. */
export function brokenLinks(page: string, text: string): string[] {
  return linksOf(text).flatMap(({ line, target }) => {
    const problem = problemOf(page, text, target);
    return problem === undefined ? [] : [`${page}:${line} links to ${target}: ${problem}`];
  });
}

export interface PageLink {
  /** Counted from 1. */
  readonly line: number;
  /** The text of a link, the description of a picture; empty for what is written as HTML. */
  readonly title: string;
  readonly target: string;
}

/** Links and pictures of a page, in Markdown and in HTML. */
export function linksOf(text: string): PageLink[] {
  return readPage(text).prose.flatMap((raw, index) => {
    // A target may not stand in code; the text of a link may have some.
    const line = raw.replace(/\[?`[^`]*`/g, (code) => (code.startsWith('[') ? code : ''));
    const inline = line.matchAll(/(?:\[([^[\]]*))?\]\(<?([^()\s<>]+)>?(?:\s+"[^"]*")?\)/g);
    const definitions = line.matchAll(/^ {0,3}\[([^\]]+)\]:\s*(\S+)/g);
    const tags = line.match(/<(?:a|img|source)\s[^<>]*>/g) ?? [];
    const html = tags.flatMap((tag) => [...tag.matchAll(/\s(?:href|src|srcset)="([^"]+)"/g)]);
    return [
      ...[...inline, ...definitions].map(([, title = '', target = '']) => ({ title, target })),
      ...html.map(([, target = '']) => ({ title: '', target })),
    ].map((link) => ({ line: index + 1, ...link }));
  });
}

function problemOf(page: string, text: string, target: string): string | undefined {
  // An address with a scheme is not ours to check, and the network may be away.
  if (/^[a-z][a-z\d+.-]*:/i.test(target)) return undefined;

  const [path = '', anchor = ''] = target.split('#');
  const file =
    path === ''
      ? page
      : posix.join(posix.dirname(page), decodeURIComponent(path)).replace(/\/$/, '');
  if (file.startsWith('..')) return 'it is outside this repository';
  if (file !== page && !existsSync(join(root, file))) return 'there is no such file';
  if (anchor === '' || !file.endsWith('.md')) return undefined;
  const headings = anchorsOf(file === page ? text : readText(file));
  return headings.has(anchor) ? undefined : 'there is no such heading';
}

/** The names GitHub gives to headings, and those written as `<a id="…">`. */
export function anchorsOf(text: string): Set<string> {
  const anchors = new Set<string>();
  const seen = new Map<string, number>();
  for (const line of readPage(text).prose) {
    for (const [, id] of line.matchAll(/<a (?:id|name)="([^"]+)"/g)) anchors.add(id!);
    const heading = /^#{1,6} (.*)$/.exec(line);
    if (heading === null) continue;
    const slug = heading[1]!
      .trim()
      .replace(/\[([^[\]]*)\]\([^()]*\)/g, '$1')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
      .replaceAll(' ', '-');
    const times = seen.get(slug) ?? 0;
    seen.set(slug, times + 1);
    anchors.add(times === 0 ? slug : `${slug}-${times}`);
  }
  return anchors;
}
