import { spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setLimit, whyNoLimits } from './set-limit.ts';

/** A place for the history of a gateway that can be made full. */
export interface HistoryDisk {
  readonly folder: string;
  /** How it is made full, for people. */
  readonly how: string;
  /** Why it cannot be made full here; undefined where it can. */
  readonly whyNot: string | undefined;
  /** @param pid - of the gateway */
  fill(pid: number): void;
  empty(pid: number): void;
  remove(): void;
}

const DISK = '4m';
const BLOCK = Buffer.alloc(4096);

/** A small disk in memory where we may mount one, and else a folder whose files a process can be kept from growing. */
export function openHistoryDisk(parent: string, mayMount = true): HistoryDisk {
  const disk = join(parent, 'disk');
  const folder = join(disk, 'history');
  mkdirSync(disk);
  if (!mayMount || !mount(disk)) {
    return {
      folder,
      how: 'RLIMIT_FSIZE of the gateway is 0',
      whyNot: whyNoLimits(),
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
    whyNot: undefined,
    fill: () => fillUp(filler),
    empty: () => rmSync(filler, { force: true }),
    remove: () => {
      process.off('exit', remove);
      remove();
    },
  };
}

function mount(folder: string): boolean {
  const args = ['-t', 'tmpfs', '-o', `size=${DISK}`, 'tmpfs', folder];
  const { error, status } = spawnSync('mount', args);
  return error === undefined && status === 0;
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
