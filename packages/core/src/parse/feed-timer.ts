import type { MonotonicClock } from '../internal/clock.ts';

/** How many blocks are tried between two looks at the clock. */
const CLOCK_INTERVAL = 16;

/** Knows how long one `feed` has been at it: the last resort against a parser that takes too long. */
export class FeedTimer {
  readonly #clock: MonotonicClock;
  #startedAt = -1;
  #blocks = 0;

  constructor(clock: MonotonicClock) {
    this.#clock = clock;
  }

  /** A feed begins. The clock starts with its first block: most have none. */
  reset(): void {
    this.#startedAt = -1;
    this.#blocks = 0;
  }

  /** A block begins. Returns how long the feed has taken, or -1 when it was not looked at. */
  elapsed(): number {
    if (++this.#blocks % CLOCK_INTERVAL !== 0 || this.#startedAt < 0) return -1;
    return this.#clock.now() - this.#startedAt;
  }

  /** The time now. */
  now(): number {
    const now = this.#clock.now();
    if (this.#startedAt < 0) this.#startedAt = now;
    return now;
  }
}
