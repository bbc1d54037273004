import { copyFileSync, existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { brokenLinks, linksOf } from '../../test/support/markdown-links.ts';
import { listFiles, readText, root } from '../../test/support/repository.ts';
import { docsSidebar } from './docs-sidebar.ts';
import { filePage, folderPage } from './source-page.ts';
import { sitePath } from './site-path.ts';

/** Where the site is made: `pages/` is what it is made of, `dist/` the site. */
export const siteFolder: string = join(root, '.cache', 'docs-site');

const settings = 'scripts/docs-site/vitepress';

/**
 * Writes what VitePress makes the site of: the pages of docs/, and whatever else of the repository they link to as
 * pages too, so that no link of the site leads to a file that is not on it.
 */
export function stageSite(): { readonly pages: number; readonly problems: readonly string[] } {
  for (const folder of ['pages', '.vitepress', 'dist'])
    rmSync(join(siteFolder, folder), { recursive: true, force: true });

  const docs = listFiles('docs', (path) => path.endsWith('.md'));
  const waiting = [...docs];
  const links: Record<string, Record<string, string>> = {};
  const problems: string[] = [];
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    const staged = stagedAt(path);
    if (links[staged] !== undefined) continue;
    const text = pageText(path);
    write(join(siteFolder, 'pages', staged), text);
    const broken = brokenLinks(path, text);
    problems.push(...broken);
    const leads: Record<string, string> = (links[staged] = {});
    if (broken.length > 0) continue;
    for (const { target } of linksOf(text)) {
      const [to = '', anchor] = target.split('#', 2);
      if (to === '' || /^[a-z][a-z\d+.-]*:/i.test(to)) continue;
      const wanted = pageOrFile(posix.join(posix.dirname(path), decodeURIComponent(to)));
      leads[target] = hrefFrom(staged, wanted) + (anchor === undefined ? '' : `#${anchor}`);
      if (isAsset(wanted)) copy(wanted, join(siteFolder, 'pages', assetAt(wanted)));
      else waiting.push(wanted);
    }
  }

  writeFileSync(join(siteFolder, 'links.json'), JSON.stringify(links));
  writeFileSync(join(siteFolder, 'sidebar.json'), JSON.stringify(docsSidebar(docs)));
  for (const file of listFiles(settings, () => true))
    copy(file, join(siteFolder, '.vitepress', posix.relative(settings, file)));
  copy('packages/dashboard/src/icon.svg', join(siteFolder, 'pages', 'public', 'icon.svg'));
  return { pages: Object.keys(links).length, problems };
}

/** A folder is shown by its README, or by a page that is made up for it. */
function pageOrFile(path: string): string {
  const file = join(root, path);
  return existsSync(file) && statSync(file).isDirectory() ? posix.join(path, 'README.md') : path;
}

const isPicture = (path: string): boolean => /\.(?:png|svg|jpe?g)$/.test(path);

/** A picture, or a file that is documented here for people to take. */
const isAsset = (path: string): boolean =>
  isPicture(path) || (path.startsWith('docs/') && !path.endsWith('.md'));

/** Files in `public/` are on the site as they are; pictures are found by the pages that show them. */
const assetAt = (path: string): string =>
  isPicture(path) ? sitePath(path) : posix.join('public', sitePath(path));

const stagedAt = (path: string): string =>
  path.endsWith('.md') ? sitePath(path) : `${sitePath(path)}.md`;

function pageText(path: string): string {
  if (!path.endsWith('.md')) return filePage(path);
  return existsSync(join(root, path)) ? readText(path) : folderPage(posix.dirname(path));
}

function hrefFrom(page: string, wanted: string): string {
  if (isAsset(wanted) && !isPicture(wanted)) return `/${sitePath(wanted)}`;
  const at = isAsset(wanted) ? assetAt(wanted) : stagedAt(wanted);
  const href = posix.relative(posix.dirname(page), at);
  return href.startsWith('.') ? href : `./${href}`;
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function copy(path: string, file: string): void {
  mkdirSync(dirname(file), { recursive: true });
  copyFileSync(join(root, path), file);
}
