import { chmodSync, lstatSync, mkdirSync } from 'node:fs';
import type { Stats } from 'node:fs';
import { codeOf } from './code-of.ts';

/**
 * Makes sure that a folder is there, is ours and is closed to others.
 *
 * @throws where it cannot be, or where something else, such as a link, stands in its place
 */
export function openPrivateFolder(path: string): void {
  const about = look(path) ?? makeAndLook(path);
  if (!about.isDirectory()) throw new Error(`${path} is no folder`);
  const user = process.getuid?.();
  if (user === undefined) return;
  // What others own they can read and change, and what root leaves behind the user cannot.
  if (about.uid !== user) throw new Error(`${path} belongs to another user`);
  if ((about.mode & 0o077) !== 0) chmodSync(path, 0o700);
}

function look(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

function makeAndLook(path: string): Stats {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  return lstatSync(path);
}
