import { join } from 'node:path';
import { maskSecrets } from '@holdfast/core/advise';
import { isObject } from '../../proxy/json/json-fields.ts';
import { redactValue } from '../../redact/redactor.ts';
import type { HookEvent } from './hook-host.ts';
import { takeLock } from './hook-lock.ts';
import type { LockMeans } from './hook-lock.ts';
import type { HookMemory } from './hook-memory.ts';
import { EMPTY_MEMORY, readHookMemory } from './hook-memory.ts';
import { leaveLate, readLate } from './late-events.ts';
import { openPrivateFolder } from './private-folder.ts';
import { readPrivateFile, replacePrivateFile, writeText } from './private-file.ts';
import { MEMORY_SUFFIX, sweepFolder } from './sweep-folder.ts';

/** A new memory, and what whoever made it wants to know. */
export interface Change<Result> {
  readonly memory: HookMemory;
  readonly result: Result;
}

/** What is larger was not written by us, or went wrong: it is begun anew. */
const MOST_BYTES = 1024 * 1024;

/** How many new conversations there are, about, to each look at the age of all. */
const SWEEP_EVERY = 32;

/** How many names this process has made: several may be made within a millisecond. */
let names = 0;

const SYSTEM_MEANS: LockMeans = {
  now: () => Date.now(),
  pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  random: Math.random,
  write: writeText,
};

/**
 * Keeps the memory of conversations in a folder, a file each. Hooks of one conversation run at the same time, as
 * processes of their own: each change is made alone, and none is lost.
 */
export class HookStore {
  readonly #folder: string;
  readonly #means: LockMeans;

  constructor(folder: string, means: Partial<LockMeans> = {}) {
    this.#folder = folder;
    this.#means = { ...SYSTEM_MEANS, ...means };
  }

  /**
   * Changes the memory of a conversation. Where others hold it for too long, the events are left for whoever comes
   * next, and undefined is returned.
   *
   * @param fold - gets the memory, and events that were left so
   * @param until - how long to wait for others, in milliseconds since 1970
   */
  async change<Result>(
    conversation: string,
    events: readonly HookEvent[],
    fold: (memory: HookMemory, late: readonly HookEvent[]) => Change<Result>,
    until: number,
  ): Promise<Result | undefined> {
    openPrivateFolder(this.#folder);
    const path = join(this.#folder, hashOf(conversation));
    const lock = await takeLock(`${path}.lock`, until, this.#means);
    if (lock === undefined) {
      this.#leave(path, events);
      return undefined;
    }
    try {
      const found = this.#read(path, conversation);
      const late = readLate(`${path}.late`);
      const { memory, result } = fold(found ?? EMPTY_MEMORY, late.events);
      if (!this.#write(path, conversation, memory, () => lock.isHeld())) {
        this.#leave(path, events);
        return undefined;
      }
      late.forget();
      if (found === undefined) this.#sweep();
      return result;
    } finally {
      lock.release();
    }
  }

  #read(path: string, conversation: string): HookMemory | undefined {
    const text = readPrivateFile(path + MEMORY_SUFFIX, MOST_BYTES);
    if (text === undefined) return undefined;
    try {
      const value: unknown = JSON.parse(text);
      const isOurs =
        isObject(value) && value['version'] === 1 && value['of'] === maskSecrets(conversation);
      return isOurs ? readHookMemory(value) : undefined;
    } catch {
      return undefined;
    }
  }

  #write(path: string, conversation: string, memory: HookMemory, isHeld: () => boolean): boolean {
    const text = JSON.stringify(redactValue({ version: 1, of: conversation, ...memory }));
    const draft = `${path}.${this.#unique()}.new`;
    const { write } = this.#means;
    return replacePrivateFile(path + MEMORY_SUFFIX, text, { draft, write }, isHeld);
  }

  #leave(path: string, events: readonly HookEvent[]): void {
    leaveLate(`${path}.late`, this.#unique(), { events, write: this.#means.write });
  }

  /** Names sort by time. */
  #unique(): string {
    const { now, random } = this.#means;
    const time = now().toString(36).padStart(9, '0');
    const count = (++names).toString(36).padStart(3, '0');
    return `${time}-${count}-${process.pid}-${random().toString(36).slice(2)}`;
  }

  #sweep(): void {
    const { now, random } = this.#means;
    try {
      sweepFolder(this.#folder, now(), random() < 1 / SWEEP_EVERY);
    } catch {
      // There will be other times.
    }
  }
}

/** FNV-1a of 64 bits: `node:crypto` takes longer to load than all the rest here takes to run. */
function hashOf(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of Buffer.from(text)) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  }
  return hash.toString(16).padStart(16, '0');
}
