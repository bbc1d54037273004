import { randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { CannotInstallError } from './agent-installer.ts';
import { reasonOf } from './target-file.ts';

/** Whose a file is, and who may read it. */
export interface FileOwner {
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
}

/** What new files are: others read them, as they do those that an editor makes. */
const NEW_FILE_MODE = 0o644;

/**
 * Writes a file so that there is always either the old one or the whole new one: into a new file in the same folder,
 * which then takes the name.
 *
 * @param owner - that of the file it replaces
 */
export async function replaceFile(path: string, text: string, owner?: FileOwner): Promise<void> {
  const draft = join(dirname(path), `.${basename(path)}.${randomUUID()}.holdfast-new`);
  try {
    // Nobody else may look into it before it has its mode.
    const file = await open(draft, 'wx', owner === undefined ? NEW_FILE_MODE : 0o600);
    try {
      await file.writeFile(text, 'utf8');
      if (owner !== undefined) {
        const { uid, gid } = await file.stat();
        if (uid !== owner.uid || gid !== owner.gid) await file.chown(owner.uid, owner.gid);
        await file.chmod(owner.mode);
      }
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => undefined);
    throw new CannotInstallError(`${path}: cannot be written: ${reasonOf(error)}`);
  }
}
