import type { JsonObject } from '@holdfast/core';
import { isObject } from '../proxy/json/json-fields.ts';

/** How many lines are kept. */
export const KEPT_LINES = 1000;
/** A line with a stack or two is shorter. */
const LONGEST_LINE = 16_384;

/** A line of the log, with its place among all lines. */
export interface KeptLine {
  /** From 1, without gaps. */
  readonly seq: number;
  /** As it was written: one JSON object, without secrets. */
  readonly line: string;
}

/** The last lines of the log, for those who look at it over HTTP. */
export class LogRing {
  readonly #kept: KeptLine[] = [];
  #listeners: readonly (() => void)[] = [];
  #lastSeq = 0;
  /** Records that the destination of the log did not take. */
  dropped = 0;

  get lastSeq(): number {
    return this.#lastSeq;
  }

  get firstSeq(): number {
    return Math.max(1, this.#lastSeq - KEPT_LINES + 1);
  }

  add(line: string): void {
    const seq = ++this.#lastSeq;
    this.#kept[(seq - 1) % KEPT_LINES] = { seq, line: shortened(line) };
    for (const listener of this.#listeners) listener();
  }

  /** Told that there is another line. Returns what ends it. */
  subscribe(listener: () => void): () => void {
    const own = (): void => listener();
    this.#listeners = [...this.#listeners, own];
    return () => {
      this.#listeners = this.#listeners.filter((each) => each !== own);
    };
  }

  /** The lines after one, the oldest first, so many at most. */
  after(seq: number, limit: number): readonly KeptLine[] {
    const found: KeptLine[] = [];
    const first = Math.max(seq + 1, this.firstSeq);
    for (let at = first; at <= this.#lastSeq && found.length < limit; at++) {
      const kept = this.#kept[(at - 1) % KEPT_LINES];
      if (kept !== undefined) found.push(kept);
    }
    return found;
  }
}

/** A line as the API tells it. */
export function logLineJson({ line }: KeptLine): JsonObject {
  const { time = null, level = null, msg = '', ...fields } = readLine(line);
  return { at: time, level, message: msg, fields };
}

function readLine(line: string): JsonObject {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

function shortened(line: string): string {
  if (line.length <= LONGEST_LINE) return line;
  const { time = null, level = null, msg } = readLine(line);
  const message = typeof msg === 'string' ? msg.slice(0, LONGEST_LINE / 2) : '';
  return JSON.stringify({
    time,
    level,
    msg: `${message}… [cut, ${line.length} characters in all]`,
  });
}
