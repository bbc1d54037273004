import { mkdir, readdir, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { CannotInstallError } from './agent-installer.ts';
import type { FileChange, HostChange } from './file-change.ts';
import type { InstallRecords } from './install-records.ts';
import { hashOf } from './install-records.ts';
import { replaceFile } from './replace-file.ts';
import type { TargetFile } from './target-file.ts';
import { readTarget, reasonOf } from './target-file.ts';

/**
 * Does what was worked out, or nothing of it: where a file is not what it was then, or cannot be written, those
 * before it are given back.
 *
 * @throws {@link CannotInstallError}
 */
export async function makeChange(
  { files, folders }: HostChange,
  records: InstallRecords,
): Promise<void> {
  await records.alone(async () => {
    const targets = await Promise.all(files.map(({ path }) => readTarget(path)));
    const todo = files.flatMap((change, index) => {
      const target = targets[index];
      // Another run has done it.
      if (target === undefined || target.found?.text === change.after) return [];
      if (target.found?.text === change.before) return [{ change, target }];
      throw new CannotInstallError(
        `${change.path}: it was changed while this ran, and was left as it is; run this again`,
      );
    });
    const undo: (() => Promise<void>)[] = [];
    try {
      for (const { change, target } of todo) {
        // First, as a write may fail halfway.
        undo.unshift(() => putBack(target));
        await makeFileChange(change, target, records);
      }
    } catch (error) {
      for (const step of undo) await step().catch(() => undefined);
      throw error;
    }
    for (const folder of folders) await removeIfEmpty(folder);
  });
}

async function makeFileChange(
  change: FileChange,
  target: TargetFile,
  records: InstallRecords,
): Promise<void> {
  const { after, kind, backup } = change;
  const { path, found } = target;
  if (kind === 'installed' || kind === 'updated') {
    const folders = await makeFolder(dirname(path));
    if (backup !== undefined && found !== undefined) await keepBackup(change, backup, found);
    await keepRecord(change, path, folders, records);
    await replaceFile(path, after ?? '', found);
    return;
  }
  if (after === undefined) await removeFile(path);
  else await replaceFile(path, after, found);
  await records.forget(path);
  if (backup !== undefined) await rm(backup, { force: true }).catch(() => undefined);
}

/** The first is kept until an uninstall: those after it have our entries in them. */
async function keepBackup(
  { isFirst }: FileChange,
  backup: string,
  found: NonNullable<TargetFile['found']>,
): Promise<void> {
  const isNeeded = isFirst === true || (await readTarget(backup)).found === undefined;
  if (isNeeded) await replaceFile(backup, found.text, found);
}

async function keepRecord(
  { before, after, isFirst }: FileChange,
  path: string,
  folders: readonly string[],
  records: InstallRecords,
): Promise<void> {
  const left = hashOf(after ?? '');
  if (isFirst === true) {
    await records.keep(path, { left, existed: before !== undefined, folders });
    return;
  }
  const record = await records.find(path);
  // Else it was changed since we wrote it, and an uninstall has to leave that change in.
  const isAsLeft = before !== undefined && record?.left === hashOf(before);
  if (isAsLeft) await records.keep(path, { ...record, left });
}

async function putBack({ path, found }: TargetFile): Promise<void> {
  if (found === undefined) await rm(path, { force: true });
  else if ((await readTarget(path)).found?.text !== found.text) {
    await replaceFile(path, found.text, found);
  }
}

async function removeFile(path: string): Promise<void> {
  try {
    await rm(path, { force: true });
  } catch (error) {
    throw new CannotInstallError(`${path}: cannot be removed: ${reasonOf(error)}`);
  }
}

/** Returns the folders that were made, the innermost first. */
async function makeFolder(folder: string): Promise<readonly string[]> {
  try {
    const outermost = await mkdir(folder, { recursive: true });
    if (outermost === undefined) return [];
    const made = [folder];
    for (let at = folder; at !== outermost && at !== dirname(at); at = dirname(at)) {
      made.push(dirname(at));
    }
    return made;
  } catch (error) {
    throw new CannotInstallError(`${folder}: cannot be made: ${reasonOf(error)}`);
  }
}

/** What Python keeps beside its files is nothing. */
async function removeIfEmpty(folder: string): Promise<void> {
  try {
    const names = await readdir(folder);
    if (names.length === 1 && names[0] === PYTHON_CACHE) {
      await rm(join(folder, PYTHON_CACHE), { recursive: true, force: true });
    }
    await rmdir(folder);
  } catch {
    // Something is left in it, or it has gone.
  }
}

const PYTHON_CACHE = '__pycache__';
