import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { listFolder } from './list-folder.ts';

/** Links and pictures of the built site that lead nowhere, and what it would fetch from another host. */
export function siteProblems(folder: string, base: string): string[] {
  const files = listFolder(folder);
  const pages = files.filter((path) => path.endsWith('.html'));
  const html = new Map(pages.map((page) => [page, readFileSync(join(folder, page), 'utf8')]));
  const ids = new Map([...html].map(([page, text]) => [page, attributes(text, 'id')]));
  const isThere = (path: string): boolean => existsSync(join(folder, path));

  return [...html].flatMap(([page, text]) => {
    const fetched = [...tags(text, 'img|script|link|source'), ...tags(text, 'iframe|video')];
    const foreign = fetched
      .flatMap((tag) => [...attributes(tag, 'src'), ...attributes(tag, 'href')])
      .filter((address) => /^(?:https?:)?\/\//.test(address))
      .map((address) => `${page} fetches ${address}`);
    const dead = [...attributes(text, 'href'), ...attributes(text, 'src')]
      .filter((address) => address !== '' && !/^(?:[a-z][a-z\d+.-]*:|\/\/)/i.test(address))
      .flatMap((address) => {
        const [path = '', anchor = ''] = address.split('#', 2);
        const target = path === '' ? page : targetOf(page, decodeURIComponent(path), base);
        if (!isThere(target)) return [`${page} links to ${address}: there is no such file`];
        const known = ids.get(target);
        const isKnown =
          anchor === '' || known === undefined || known.has(decodeURIComponent(anchor));
        return isKnown ? [] : [`${page} links to ${address}: there is no such heading`];
      });
    return [...foreign, ...new Set(dead)];
  });
}

function targetOf(page: string, path: string, base: string): string {
  const target = path.startsWith('/')
    ? path.slice(path.startsWith(base) ? base.length : 1)
    : posix.join(posix.dirname(page), path);
  return target === '' || target.endsWith('/') ? `${target}index.html` : target;
}

const tags = (html: string, names: string): string[] =>
  html.match(new RegExp(`<(?:${names})\\b[^>]*>`, 'g')) ?? [];

const attributes = (html: string, name: string): Set<string> =>
  new Set(
    [...html.matchAll(new RegExp(`\\s${name}="([^"]*)"`, 'g'))].map(([, value = '']) => value),
  );
