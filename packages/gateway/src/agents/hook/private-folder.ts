import { chmodSync, lstatSync, mkdirSync } from 'node:fs';
import type { Stats } from 'node:fs';
import { codeOf } from './code-of.ts';

/**
 * Makes sure that a folder is there, belongs to this user and is closed to others.
 *
 * @throws where it cannot be, or where something else, such as a link, is in its place
 */
export function openPrivateFolder(path: string): void {
  const about = openOwnFolder(path);
  if (process.getuid !== undefined && (about.mode & 0o077) !== 0) chmodSync(path, 0o700);
}

/**
 * Makes sure that a folder is there and belongs to this user. One that is made is closed to others.
 *
 * @throws where it cannot be, or where something else, such as a link, is in its place
 */
export function openOwnFolder(path: string): Stats {
  const about = look(path) ?? makeAndLook(path);
  if (about.isSymbolicLink()) throw new Error(`${path} is a symbolic link; expected a folder`);
  if (!about.isDirectory()) throw new Error(`${path} is no folder`);
  const user = process.getuid?.();
  // What others own they can read and change, and what root leaves behind the user cannot.
  if (user !== undefined && about.uid !== user) throw new Error(`${path} belongs to another user`);
  return about;
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
