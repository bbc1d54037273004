import type { AgentInstaller, FileEdit, InstallContext } from './agent-installer.ts';
import { saysNothing } from './edit-settings.ts';
import type { InstallRecords } from './install-records.ts';
import { hashOf } from './install-records.ts';
import { readTarget } from './target-file.ts';

/** What is done to a file, worked out to the last byte. */
export interface FileChange extends FileEdit {
  readonly kind:
    | 'installed'
    | 'updated'
    /** The whole file goes. */
    | 'removed'
    /** It is again what it was before the install. */
    | 'restored'
    /** Our entries went, and what its owner changed since stayed. */
    | 'cleaned';
  /** Where the text it had before the install is kept. */
  readonly backup?: string;
  /** Of an install: whether nothing of ours was in it. */
  readonly isFirst?: boolean;
}

/** All that is done to a host's files. */
export interface HostChange {
  readonly files: readonly FileChange[];
  readonly notes: readonly string[];
  /** Folders that go where nothing is left in them, in this order. */
  readonly folders: readonly string[];
}

/** Beside the file, under its name and this. */
const BACKUP = '.holdfast-backup';

/** What an install would do. */
export async function installChange(
  installer: AgentInstaller,
  context: InstallContext,
): Promise<HostChange> {
  const { edits, notes } = await installer.install(context);
  // An older install of ours is no state to come back to.
  const old = edits.length === 0 ? [] : (await installer.uninstall(context)).edits;
  const files = edits.map(async (edit): Promise<FileChange> => {
    const { path } = await readTarget(edit.path);
    const removal = old.find((each) => each.path === edit.path);
    const isFirst = removal === undefined;
    if (edit.before === undefined) return { ...edit, kind: 'installed', isFirst };
    if (edit.after === undefined) return { ...edit, kind: 'removed', isFirst };
    // What would be left of it has nothing of anybody else in it.
    const isOurs = removal !== undefined && saysNothing(removal.after);
    return { ...edit, kind: 'updated', isFirst, ...(!isOurs && { backup: path + BACKUP }) };
  });
  return { files: await Promise.all(files), notes, folders: [] };
}

/** What an uninstall would do: where a file is as an install left it, it becomes what it was before. */
export async function uninstallChange(
  installer: AgentInstaller,
  context: InstallContext,
  records: InstallRecords,
): Promise<HostChange> {
  const { edits, notes, folders = [] } = await installer.uninstall(context);
  const made: string[] = [];
  const files: FileChange[] = [];
  for (const edit of edits) {
    const { path } = await readTarget(edit.path);
    const backup = path + BACKUP;
    const record = await records.find(path);
    made.push(...(record?.folders ?? []));
    const isAsLeft = edit.before !== undefined && record?.left === hashOf(edit.before);
    // Where nobody knows, a file that says nothing is one that we made.
    const isMade = record === undefined || !record.existed;
    const original =
      isAsLeft && record.existed ? (await readTarget(backup)).found?.text : undefined;
    if (original !== undefined) {
      files.push({ ...edit, after: original, kind: 'restored', backup });
    } else if (edit.after === undefined || (isMade && saysNothing(edit.after))) {
      files.push({ ...edit, after: undefined, kind: 'removed', backup });
    } else {
      files.push({ ...edit, kind: 'cleaned', backup });
    }
  }
  // The innermost first: its name is the longest.
  const others = made.filter((folder) => !folders.includes(folder));
  return { files, notes, folders: [...folders, ...others.sort((a, b) => b.length - a.length)] };
}
