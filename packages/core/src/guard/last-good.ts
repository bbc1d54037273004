import { checkOptions, count, durationOrOff } from '../internal/check-options.ts';
import type { OptionRule } from '../internal/check-options.ts';
import { systemClock } from '../internal/clock.ts';
import type { MonotonicClock } from '../internal/clock.ts';

/** What is kept, and for how long. */
export interface LastGoodOptions {
  /** A value that is older is not given out; `Infinity` for any age. @defaultValue 300_000 */
  readonly maxAgeMs?: number;
  /** Values that are kept; the one that was good longest ago goes first. @defaultValue 100 */
  readonly maxEntries?: number;
  /** Where time comes from. @defaultValue the system's clock */
  readonly clock?: MonotonicClock;
}

/** What is kept unless told otherwise. */
export const LAST_GOOD_DEFAULTS: Required<Omit<LastGoodOptions, 'clock'>> = Object.freeze({
  maxAgeMs: 300_000,
  maxEntries: 100,
});

const RULES: Readonly<Record<keyof LastGoodOptions, OptionRule>> = {
  maxAgeMs: durationOrOff(1),
  maxEntries: count(1),
  clock: () => undefined,
};

interface Kept<T> {
  readonly value: T;
  readonly at: number;
}

/** Remembers what calls last returned, each under a key that says what was asked for. */
export class LastGood<T = unknown> {
  readonly #maxAgeMs: number;
  readonly #maxEntries: number;
  readonly #clock: MonotonicClock;
  /** In order of age: what is remembered again moves to the end. */
  readonly #kept = new Map<string, Kept<T>>();

  constructor(options: LastGoodOptions = {}) {
    checkOptions(options, RULES, 'lastGood');
    this.#maxAgeMs = options.maxAgeMs ?? LAST_GOOD_DEFAULTS.maxAgeMs;
    this.#maxEntries = options.maxEntries ?? LAST_GOOD_DEFAULTS.maxEntries;
    this.#clock = options.clock ?? systemClock;
  }

  remember(key: string, value: T): void {
    this.#kept.delete(key);
    this.#kept.set(key, { value, at: this.#clock.now() });
    if (this.#kept.size <= this.#maxEntries) return;
    for (const oldest of this.#kept.keys()) {
      this.#kept.delete(oldest);
      return;
    }
  }

  /** In an object, since a good value may be undefined; nothing where none is young enough. */
  recall(key: string): { readonly value: T } | undefined {
    const kept = this.#kept.get(key);
    if (kept === undefined) return undefined;
    if (this.#clock.now() - kept.at <= this.#maxAgeMs) return kept;
    this.#kept.delete(key);
    return undefined;
  }
}
