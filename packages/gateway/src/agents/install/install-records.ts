import { createHash } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isObject } from '../../proxy/json/json-fields.ts';
import type { HookLock, LockMeans } from '../hook/hook-lock.ts';
import { takeLock } from '../hook/hook-lock.ts';
import { writeText } from '../hook/private-file.ts';
import { openPrivateFolder } from '../hook/private-folder.ts';
import { CannotInstallError } from './agent-installer.ts';
import { replaceFile } from './replace-file.ts';

/** What was done to a file, so that it can be undone to the byte. */
export interface InstallRecord {
  /** The hash of the text that was left. What has another was changed since, and is not given back as a whole. */
  readonly left: string;
  /** Whether there was a file before. Its text is in the backup beside it. */
  readonly existed: boolean;
  /** The folders that were made for it, the innermost first. */
  readonly folders: readonly string[];
}

const PRIVATE = { mode: 0o600, uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };

/** How long another install is waited for: one takes some milliseconds. */
const PATIENCE_MS = 5_000;

/**
 * Keeps records of installs in a folder of the user's. A folder that cannot be written keeps none: then an uninstall
 * takes out our entries instead of giving back the file as it was.
 */
export class InstallRecords {
  readonly #folder: string;
  readonly #means: LockMeans;

  constructor(folder: string, means: Pick<LockMeans, 'pause'> & Partial<LockMeans>) {
    this.#folder = folder;
    this.#means = { now: Date.now, random: Math.random, write: writeText, ...means };
  }

  async find(path: string): Promise<InstallRecord | undefined> {
    try {
      const value: unknown = JSON.parse(await readFile(this.#fileOf(path), 'utf8'));
      return isRecord(value) ? value : undefined;
    } catch {
      return undefined;
    }
  }

  async keep(path: string, { left, existed, folders }: InstallRecord): Promise<void> {
    const text = `${JSON.stringify({ path, left, existed, folders })}\n`;
    await replaceFile(this.#fileOf(path), text, PRIVATE).catch(() => undefined);
  }

  async forget(path: string): Promise<void> {
    await rm(this.#fileOf(path), { force: true }).catch(() => undefined);
  }

  /** Does something while no other install of this user writes. */
  async alone<Result>(work: () => Promise<Result>): Promise<Result> {
    const lock = await this.#lock();
    try {
      return await work();
    } finally {
      lock?.release();
    }
  }

  async #lock(): Promise<HookLock | undefined> {
    const path = join(this.#folder, 'lock');
    const until = this.#means.now() + PATIENCE_MS;
    let lock: HookLock | undefined;
    try {
      openPrivateFolder(this.#folder);
      lock = await takeLock(path, until, this.#means);
    } catch {
      // There is no place for one: most often nobody else is there either.
      return undefined;
    }
    if (lock !== undefined) return lock;
    throw new CannotInstallError(
      `another holdfast install or uninstall is running; if none is, remove ${path}`,
    );
  }

  #fileOf(path: string): string {
    return join(this.#folder, `${hashOf(path)}.json`);
  }
}

export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function isRecord(value: unknown): value is InstallRecord & { [key: string]: never } {
  return (
    isObject(value) &&
    typeof value['left'] === 'string' &&
    typeof value['existed'] === 'boolean' &&
    Array.isArray(value['folders']) &&
    value['folders'].every((folder) => typeof folder === 'string')
  );
}
