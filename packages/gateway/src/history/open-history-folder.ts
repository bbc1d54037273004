import { lstatSync, readdirSync } from 'node:fs';
import { openPrivateFolder } from '../agents/hook/private-folder.ts';
import { readSegmentName } from './segment-name.ts';

/**
 * Makes sure that the folder is there, is ours and is closed to others. One with other things in it is not closed:
 * somebody named it who did not mean that.
 *
 * @throws where it cannot be
 */
export function openHistoryFolder(path: string): void {
  const about = lstatSync(path, { throwIfNoEntry: false });
  const isOpenToOthers = process.getuid !== undefined && ((about?.mode ?? 0) & 0o077) !== 0;
  if (about?.isDirectory() === true && isOpenToOthers) {
    const other = readdirSync(path).find((name) => readSegmentName(name) === undefined);
    if (other !== undefined) {
      throw new Error(
        `${path} is open to other users and holds ${other}; expected a folder for history alone, or one of mode 0700`,
      );
    }
  }
  openPrivateFolder(path);
}
