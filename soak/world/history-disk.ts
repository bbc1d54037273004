import { spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setLimit } from './set-limit.ts';

/** A place for the history of a gateway that can be made full. */
export interface HistoryDisk {
  readonly folder: string;
  /** How it is made full, for people. */
  readonly how: string;
  /** @param pid - of the gateway */
  fill(pid: number): void;
  empty(pid: number): void;
  remove(): void;
}

const DISK = '4m';
const BLOCK = Buffer.alloc(4096);

/** A small disk in memory where we may mount one, and else a folder whose files a process can be kept from growing. */
export function openHistoryDisk(parent: string): HistoryDisk {
  const disk = join(parent, 'disk');
  const folder = join(disk, 'history');
  mkdirSync(disk);
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK}`, 'tmpfs', disk]);
  if (mounted.error !== undefined || mounted.status !== 0) {
    return {
      folder,
      how: 'RLIMIT_FSIZE of the gateway is 0',
      fill: (pid) => setLimit(pid, 'fsize', '0'),
      empty: (pid) => setLimit(pid, 'fsize', 'unlimited'),
      remove: () => undefined,
    };
  }
  const remove = (): void => void spawnSync('umount', ['--lazy', disk]);
  process.once('exit', remove);
  const filler = join(disk, 'filler');
  return {
    folder,
    how: `a tmpfs of ${DISK} is filled`,
    fill: () => fillUp(filler),
    empty: () => rmSync(filler, { force: true }),
    remove: () => {
      process.off('exit', remove);
      remove();
    },
  };
}

function fillUp(path: string): void {
  const file = openSync(path, 'a');
  try {
    for (;;) writeSync(file, BLOCK);
  } catch {
    // That was the last block.
  } finally {
    closeSync(file);
  }
}
