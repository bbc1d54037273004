import { lstat, readFile, realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { codeOf } from '../hook/code-of.ts';
import { CannotInstallError } from './agent-installer.ts';

/** A file that is to be changed, as it is on the disk. */
export interface TargetFile {
  /** Where it really is: a link to it stays a link. */
  readonly path: string;
  /** Undefined where there is none. */
  readonly found?: {
    readonly text: string;
    readonly mode: number;
    readonly uid: number;
    readonly gid: number;
  };
}

/**
 * Looks at a file before it is written.
 *
 * @throws {@link CannotInstallError} where it is none that could be given back as it was
 */
export async function readTarget(path: string): Promise<TargetFile> {
  const isThere = await lstat(path).then(
    () => true,
    (error: unknown) => !isMissing(error),
  );
  if (!isThere) return { path: await placeOf(path) };
  const real = await realpath(path).catch((error: unknown) => {
    const reason = isMissing(error) ? 'it is a link to nothing' : reasonOf(error);
    throw new CannotInstallError(`${path}: ${reason}`);
  });
  try {
    const stats = await lstat(real);
    if (!stats.isFile())
      throw new CannotInstallError(`${path}: expected a file, got something else`);
    const bytes = await readFile(real);
    const text = bytes.toString('utf8');
    // What is no UTF-8 would come back as something else.
    if (!Buffer.from(text, 'utf8').equals(bytes)) {
      throw new CannotInstallError(`${path}: expected UTF-8, got bytes that are none`);
    }
    const { mode, uid, gid } = stats;
    return { path: real, found: { text, mode: mode & 0o7777, uid, gid } };
  } catch (error) {
    if (error instanceof CannotInstallError) throw error;
    throw new CannotInstallError(`${path}: cannot be read: ${reasonOf(error)}`);
  }
}

/**
 * The text of a file; undefined where there is none.
 *
 * @throws {@link CannotInstallError} as `readTarget` does
 */
export async function readText(path: string): Promise<string | undefined> {
  return (await readTarget(path)).found?.text;
}

/** Where a file will be: a folder on the way may be a link, and may not be there yet. */
async function placeOf(path: string): Promise<string> {
  const folder = dirname(path);
  if (folder === path) return path;
  const real = await realpath(folder).catch(() => placeOf(folder));
  return join(real, basename(path));
}

export function isMissing(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR'].includes(codeOf(error));
}

export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
