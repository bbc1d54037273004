import { readText } from '../../test/support/repository.ts';
import { readDocsNav, unlistedPages, type NavPage } from './docs-nav.ts';
import { sitePath } from './site-path.ts';

interface SidebarItem {
  readonly text: string;
  readonly link?: string;
  readonly collapsed?: boolean;
  readonly items?: readonly SidebarItem[];
}

/** The sections of the documentation as VitePress shows them beside each page. */
export function docsSidebar(docs: readonly string[]): readonly SidebarItem[] {
  const nav = readDocsNav(readText);
  const unlisted = unlistedPages(nav, docs).map((path) => ({ title: path, path, pages: [] }));
  // A test refuses them; whoever writes a page wants to see it all the same.
  const sections = unlisted.length > 0 ? [...nav, { title: 'Not listed', pages: unlisted }] : nav;
  return sections.map(({ title, pages }, index) => ({
    text: title,
    collapsed: index > 0,
    items: pages.map(toItem),
  }));
}

const toItem = ({ title, path, pages }: NavPage): SidebarItem => ({
  text: title.replaceAll('`', ''),
  link: linkOf(path),
  ...(pages.length > 0 && { collapsed: true, items: pages.map(toItem) }),
});

const linkOf = (path: string): string =>
  `/${sitePath(path)
    .replace(/\.md$/, '')
    .replace(/(^|\/)index$/, '$1')}`;
