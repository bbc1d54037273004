import type { JsonObject } from '@holdfast/core';
import { OTHER } from './bounded-map.ts';

/** There are a few dozen of each kind; more is a mistake, and does not grow. */
const MOST_NAMES = 100;

/** How often each of some names came. */
export class CountsByName {
  readonly #counts = new Map<string, number>();

  add(name: string, times = 1): void {
    const isKept = this.#counts.has(name) || this.#counts.size < MOST_NAMES;
    const key = isKept ? name : OTHER;
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + times);
  }

  addAll(other: CountsByName): void {
    for (const [name, times] of other.#counts) this.add(name, times);
  }

  toJson(): JsonObject {
    return Object.fromEntries(this.#counts);
  }
}
