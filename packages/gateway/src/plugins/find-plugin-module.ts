import { existsSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import type { PluginFile } from './read-plugin-file.ts';

/** The file of a module, or what is wrong with the path that names it. */
export type FoundModule =
  { readonly ok: true; readonly file: string } | { readonly ok: false; readonly problem: string };

/** Whether a kind is the path of a module. */
export function isModulePath(kind: string): boolean {
  return /\.(?:m?js|m?ts)$/.test(kind) || kind.includes('/') || kind.includes('\\');
}

/**
 * Finds a module in the folder of the plugin file or in `plugin_dirs`. What lies elsewhere is refused, be it by
 * `..` or by a link: whoever may write a plugin file must not be able to run any file of the machine.
 */
export function findPluginModule(
  kind: string,
  { file, dirs }: Pick<PluginFile, 'file' | 'dirs'>,
): FoundModule {
  const folders = [dirname(resolve(file)), ...dirs];
  const inside = folders
    .map((folder) => ({ folder, path: resolve(folder, kind) }))
    .filter(({ path }) => folders.some((folder) => isInside(path, folder)));
  if (inside.length === 0) return refused(kind);
  const found = inside.find(({ path }) => existsSync(path));
  if (found === undefined) {
    const places = [...new Set(inside.map(({ folder }) => relative(dirname(file), folder) || '.'))];
    return {
      ok: false,
      problem: `expected a module that exists, got "${kind}", which is not in ${places.join(', ')}`,
    };
  }
  const real = realpathSync(found.path);
  const isReallyInside = folders.some(
    (folder) => existsSync(folder) && isInside(real, realpathSync(folder)),
  );
  return isReallyInside ? { ok: true, file: real } : refused(kind);
}

function refused(kind: string): FoundModule {
  const expected = 'a module in the folder of this file or in plugin_dirs';
  return { ok: false, problem: `expected ${expected}, got "${kind}", which leads out of them` };
}

function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
