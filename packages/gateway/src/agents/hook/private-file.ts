import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';

/** Writes a text to a file that was opened. Tests give one for which the disk is full. */
export type WriteText = (file: number, text: string) => void;

export const writeText: WriteText = (file, text) => {
  writeFileSync(file, text);
};

/**
 * The text of a file. Undefined where there is none that we wrote: links are not followed, what is no file is not
 * waited for, and what is larger than `mostBytes` is not ours.
 */
export function readPrivateFile(path: string, mostBytes: number): string | undefined {
  let file: number | undefined;
  try {
    file = openSync(path, READ);
    const about = fstatSync(file);
    if (!about.isFile() || about.size > mostBytes) return undefined;
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** Makes a file that only the user may read. Throws where there is something of that name, a link among it. */
export function makePrivateFile(path: string, text: string, write: WriteText): void {
  const file = openSync(path, 'wx', 0o600);
  try {
    write(file, text);
  } catch (error) {
    // Half a file is worse than none: others would read it.
    rmSync(path, { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
}

/**
 * Puts a text in place of a file at once: whoever reads sees the old one or the new one, whole.
 *
 * @param isStillTrue - asked at the last moment; where it says no, nothing is replaced
 * @returns whether it was
 */
export function replacePrivateFile(
  path: string,
  text: string,
  { draft, write }: { readonly draft: string; readonly write: WriteText },
  isStillTrue: () => boolean = () => true,
): boolean {
  makePrivateFile(draft, text, write);
  try {
    if (isStillTrue()) {
      renameSync(draft, path);
      return true;
    }
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
  rmSync(draft, { force: true });
  return false;
}

// Windows has neither of the last two: undefined adds no bits.
const READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
