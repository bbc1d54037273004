import type { Clock } from '@holdfast/core';

const MINUTE_MS = 60 * 1000;
/** A wall clock that goes ahead by more may be wrong for a moment, and what is deleted by it does not come back. */
const JUMP_MS = 24 * 60 * MINUTE_MS;
/** Less than from one sweep to the next, an hour later. */
const STEADY_MS = 50 * MINUTE_MS;

/** The time of day as far as it can be believed: a jump ahead is believed once the clock has stayed there. */
export class SteadyTime {
  readonly #clock: Clock;
  /** From the clock that never jumps to the time of day. */
  #offset: number;
  #ahead: { readonly offset: number; readonly since: number } | undefined;

  /** `knownAt` is a time of day that was certainly reached, in milliseconds since 1970. */
  constructor(clock: Clock, knownAt: number) {
    this.#clock = clock;
    this.#offset = knownAt - clock.now();
  }

  /** Milliseconds since 1970. */
  now(): number {
    const now = this.#clock.now();
    const offset = this.#clock.wallTime() - now;
    const ahead = this.#ahead;
    if (offset <= this.#offset + JUMP_MS) this.#believe(offset);
    else if (ahead === undefined || offset > ahead.offset + JUMP_MS) {
      this.#ahead = { offset, since: now };
    } else if (now - ahead.since >= STEADY_MS) this.#believe(offset);
    return now + this.#offset;
  }

  #believe(offset: number): void {
    this.#offset = offset;
    this.#ahead = undefined;
  }
}
