import type { MonotonicClock } from '@holdfast/core';

export interface LineQuotaOptions {
  readonly perSecond: number;
  readonly clock: MonotonicClock;
  /** How many lines were left out since it was last told. */
  readonly onDropped: (count: number) => void;
}

/** How many lines of somebody else's get into our log: so many a second, and a count of the others. */
export class LineQuota {
  readonly #options: LineQuotaOptions;
  #until = -Infinity;
  #left = 0;
  #dropped = 0;

  constructor(options: LineQuotaOptions) {
    this.#options = options;
  }

  /** Whether one more line may go into the log. One that may not is counted. */
  admit(): boolean {
    const now = this.#options.clock.now();
    if (now >= this.#until) {
      this.tell();
      this.#until = now + 1000;
      this.#left = this.#options.perSecond;
    }
    if (this.#left === 0) {
      this.#dropped += 1;
      return false;
    }
    this.#left -= 1;
    return true;
  }

  /** Counts lines that were not even looked at. */
  drop(count: number): void {
    this.#dropped += count;
  }

  /** Tells of what was left out and not yet told. */
  tell(): void {
    if (this.#dropped === 0) return;
    this.#options.onDropped(this.#dropped);
    this.#dropped = 0;
  }
}
