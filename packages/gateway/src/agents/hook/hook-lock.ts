import { lstatSync, rmSync } from 'node:fs';
import { hostname } from 'node:os';
import { codeOf } from './code-of.ts';
import { makePrivateFile, readPrivateFile } from './private-file.ts';
import type { WriteText } from './private-file.ts';

/** Who may write, until it is given back. */
export interface HookLock {
  /** False where others took it for left behind, because this process stood still for long. */
  isHeld(): boolean;
  release(): void;
}

/** What waiting takes; tests have their own. */
export interface LockMeans {
  /** Milliseconds since 1970: other processes read it. */
  readonly now: () => number;
  readonly pause: (ms: number) => Promise<void>;
  /** From 0 to 1. */
  readonly random: () => number;
  readonly write: WriteText;
}

/** A lock is held for milliseconds. One that is older was left behind, if nothing can be said of its process. */
const STALE_AFTER_MS = 10_000;
/** Its process may stand still where a machine has more to do than it can; or be another one of the same number. */
const STALE_ALIVE_AFTER_MS = 300_000;
const MOST_BYTES = 1024;
const FIRST_PAUSE_MS = 2;
const LONGEST_PAUSE_MS = 50;

/** Takes a lock, a file that says who has it. Undefined where it did not come free until then. */
export async function takeLock(
  path: string,
  until: number,
  means: LockMeans,
): Promise<HookLock | undefined> {
  const token = means.random().toString(36).slice(2);
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 1.5, LONGEST_PAUSE_MS)) {
    const mark = `${process.pid} ${means.now()} ${hostname()} ${token}`;
    if (make(path, mark, means.write)) return lockOf(path, mark);
    if (removeStale(path, mark, means)) continue;
    if (means.now() >= until) return undefined;
    // Those who wait for the same lock must not come back at the same time.
    await means.pause(pauseMs * (0.5 + means.random()));
  }
}

function lockOf(path: string, mark: string): HookLock {
  const isHeld = (): boolean => readPrivateFile(path, MOST_BYTES) === mark;
  return {
    isHeld,
    release: () => {
      if (isHeld()) rmSync(path, { force: true });
    },
  };
}

function make(path: string, mark: string, write: WriteText): boolean {
  try {
    makePrivateFile(path, mark, write);
    return true;
  } catch (error) {
    if (isTaken(codeOf(error))) return false;
    throw error;
  }
}

/** Windows refuses what is just being deleted. */
function isTaken(code: string): boolean {
  return code === 'EEXIST' || (process.platform === 'win32' && /^E(?:PERM|ACCES|BUSY)$/.test(code));
}

/**
 * Removes a lock that was left behind. Only whoever holds the guard does so: else one process could look at the old
 * lock, and remove the one that another has taken in the meantime.
 */
function removeStale(path: string, mark: string, means: LockMeans): boolean {
  const found = readPrivateFile(path, MOST_BYTES);
  if (!isStale(path, found, means.now())) return false;
  const guard = `${path}.guard`;
  if (!make(guard, mark, means.write)) {
    // By its age alone: whose process just ended may have given it back, and the next may have it.
    if (means.now() - (madeAt(guard) ?? Infinity) > STALE_AFTER_MS) rmSync(guard, { force: true });
    return false;
  }
  try {
    if (readPrivateFile(path, MOST_BYTES) !== found) return false;
    rmSync(path, { force: true, recursive: true });
    return true;
  } finally {
    rmSync(guard, { force: true });
  }
}

function isStale(path: string, mark: string | undefined, now: number): boolean {
  const [pid = '', time = '', host = ''] = (mark ?? '').split(' ');
  const isWritten = /^\d{1,9}$/.test(pid) && /^\d{1,15}$/.test(time);
  // What has no such words yet may get them in a moment: the file is made first.
  const since = isWritten ? Number(time) : madeAt(path);
  if (since === undefined) return false;
  // Numbers of processes say nothing about those in another container.
  const isKnown = isWritten && host === hostname();
  if (isKnown && isGone(Number(pid))) return true;
  // A clock that was set back must not make a lock last for ever.
  return Math.abs(now - since) > (isKnown ? STALE_ALIVE_AFTER_MS : STALE_AFTER_MS);
}

function madeAt(path: string): number | undefined {
  return lstatSync(path, { throwIfNoEntry: false })?.mtimeMs;
}

function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return codeOf(error) === 'ESRCH';
  }
}
