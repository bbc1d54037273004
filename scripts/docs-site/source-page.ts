import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { root } from '../../test/support/repository.ts';

/** More of one file than this says nothing to a reader of the documentation. */
const MAX_SHOWN_CHARS = 20_000;

// Names of files are headings here, and would drown those of pages in a search.
const HEAD = '---\nsearch: false\noutline: false\n---\n\n';

/** A page that shows a file. */
export const filePage = (path: string): string => `${HEAD}# ${path}\n\n${shown(path)}`;

/** A page that shows the files of a folder, and links to its folders. */
export function folderPage(path: string): string {
  const entries = readdirSync(join(root, path), { withFileTypes: true });
  const named = entries.sort((one, other) => (sortKey(one.name) < sortKey(other.name) ? -1 : 1));
  const folders = named.filter((entry) => entry.isDirectory());
  const files = named.filter((entry) => entry.isFile());
  return [
    `${HEAD}# ${path}/`,
    folders.map(({ name }) => `- [${name}](${name})`).join('\n'),
    ...files.map(({ name }) => `## ${name}\n\n${shown(posix.join(path, name))}`),
  ].join('\n\n');
}

/** An answer of the corpus comes before what it means, although `.json` comes before `.txt`. */
const sortKey = (name: string): string => name.replace(/\.txt$/, '.!');

function shown(path: string): string {
  const text = readFileSync(join(root, path), 'utf8');
  const cut = text.length > MAX_SHOWN_CHARS;
  const body = cut ? text.slice(0, MAX_SHOWN_CHARS) : text;
  const fence = fenceAround(body);
  const note = cut ? `\n\n${text.length - MAX_SHOWN_CHARS} more characters are left out here.` : '';
  return `${fence}${languageOf(path)}\n${body.replace(/\n$/, '')}\n${fence}${note}\n`;
}

/** Longer than any run of backticks inside. */
function fenceAround(text: string): string {
  const runs = text.match(/`+/g) ?? [];
  return '`'.repeat(Math.max(3, ...runs.map((run) => run.length + 1)));
}

const LANGUAGES: Readonly<Record<string, string>> = {
  '.json': 'json',
  '.mjs': 'js',
  '.py': 'python',
  '.ts': 'ts',
  '.yaml': 'yaml',
  '.yml': 'yaml',
};

const languageOf = (path: string): string => LANGUAGES[posix.extname(path)] ?? 'text';
