import { lstatSync, mkdirSync, readdirSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isObject, objectOf } from '../../proxy/json/json-fields.ts';
import { redactValue } from '../../redact/redactor.ts';
import { codeOf } from './code-of.ts';
import type { HookEvent } from './hook-host.ts';
import { readPrivateFile, replacePrivateFile } from './private-file.ts';
import type { WriteText } from './private-file.ts';

/** What happened, and could not be folded when it did, because others held the lock for too long. */
export interface LateEvents {
  /** Oldest first. */
  readonly events: readonly HookEvent[];
  /** Call it when they have been folded. */
  forget(): void;
}

const SUFFIX = '.json';
/** How much is kept of a text at each end. What tells a failure stands there. */
const MOST_OF_AN_END = 8 * 1024;
const MOST_BYTES = 256 * 1024;
const MOST_FILES = 1000;
/** The folder may go, as empty, between being made and being written to. */
const TRIES = 5;

/** Leaves events, each time in a file of its own, for whoever holds the lock next. */
export function leaveLate(
  folder: string,
  name: string,
  { events, write }: { readonly events: readonly HookEvent[]; readonly write: WriteText },
): void {
  const text = JSON.stringify(redactValue(shortened(events)));
  if (text.length > MOST_BYTES) return;
  for (let attempt = 1; ; attempt++) {
    try {
      makeFolder(folder);
      // Whoever reads removes what was read: it must not see half of it.
      const path = join(folder, name);
      replacePrivateFile(`${path}${SUFFIX}`, text, { draft: `${path}.new`, write });
      return;
    } catch (error) {
      if (codeOf(error) !== 'ENOENT' || attempt === TRIES) throw error;
    }
  }
}

/** The events that were left. It is only asked by whoever holds the lock. */
export function readLate(folder: string): LateEvents {
  if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return NONE;
  const files = readdirSync(folder)
    .filter((name) => name.endsWith(SUFFIX))
    .sort()
    .slice(0, MOST_FILES)
    .map((name) => join(folder, name));
  return {
    events: files.flatMap((file) => readEvents(readPrivateFile(file, MOST_BYTES * 4))),
    forget: () => {
      for (const file of files) rmSync(file, { force: true, recursive: true });
      removeEmpty(folder);
    },
  };
}

const NONE: LateEvents = Object.freeze({ events: Object.freeze([]), forget: () => undefined });

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
  // A link of that name would lead elsewhere.
  if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() === false) {
    throw new Error(`${folder} is no folder`);
  }
}

function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // More was left in the meantime.
  }
}

/** The beginning and the end of every long text. */
function shortened(value: unknown): unknown {
  if (typeof value === 'string') {
    return value.length > 2 * MOST_OF_AN_END
      ? `${value.slice(0, MOST_OF_AN_END)}\n${value.slice(-MOST_OF_AN_END)}`
      : value;
  }
  if (Array.isArray(value)) return value.map(shortened);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, shortened(item)]));
}

function readEvents(text: string | undefined): readonly HookEvent[] {
  try {
    const value: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(value) ? value.filter(isEvent) : [];
  } catch {
    return [];
  }
}

function isEvent(value: unknown): value is HookEvent {
  if (!isObject(value)) return false;
  if (value['kind'] === 'user-spoke') return true;
  if (typeof objectOf(value['call'])['tool'] !== 'string') return false;
  return value['kind'] === 'before' || (value['kind'] === 'after' && isObject(value['result']));
}
