import { readdirSync, readFileSync } from 'node:fs';
import { join, posix, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root: string = fileURLToPath(new URL('../..', import.meta.url));

const notOurs = new Set(['node_modules', 'dist', '.cache', '.git', 'coverage']);

/** Every file below a folder of the repository, as sorted paths from its root with `/`. */
export function listFiles(folder: string, matches: (path: string) => boolean): string[] {
  const found: string[] = [];
  const visit = (directory: string): void => {
    for (const entry of readdirSync(directory, { withFileTypes: true })) {
      const path = join(directory, entry.name);
      if (entry.isDirectory() && !notOurs.has(entry.name)) visit(path);
      else if (entry.isFile()) found.push(relative(root, path).split(sep).join('/'));
    }
  };
  try {
    visit(join(root, folder));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  return found.filter(matches).sort();
}

export const readText = (path: string): string => readFileSync(join(root, path), 'utf8');

interface Manifest {
  readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
  readonly dependencies?: Readonly<Record<string, string>>;
}

export const readManifest = (folder: string): Manifest =>
  JSON.parse(readText(`${folder}/package.json`)) as Manifest;

export interface Entry {
  /** As a user writes it: `@holdfast/core/parse`. */
  readonly specifier: string;
  /** `parse`, or `index` for the root. */
  readonly name: string;
  readonly source: string;
  readonly built: string;
}

/** The code entries of `@holdfast/core`, from its package.json. */
export function coreEntries(): Entry[] {
  return Object.entries(readManifest('packages/core').exports).flatMap(([subpath, target]) =>
    typeof target === 'string'
      ? []
      : [
          {
            specifier: `@holdfast/core${subpath.slice(1)}`,
            name: subpath === '.' ? 'index' : subpath.slice(2),
            source: posix.join('packages/core', target['@holdfast/source'] ?? ''),
            built: posix.join('packages/core', target['default'] ?? ''),
          },
        ],
  );
}
