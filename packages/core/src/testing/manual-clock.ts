import { InvalidOptionError } from '../errors.ts';
import { duration } from '../internal/check-options.ts';
import type { Clock } from '../internal/clock.ts';

interface Timer {
  readonly at: number;
  readonly callback: () => void;
}

/** A clock that stands still until it is told to move. */
export class ManualClock implements Clock {
  #now: number;
  readonly #epoch: number;
  readonly #timers = new Set<Timer>();

  /** Both clocks as they read at first. */
  constructor(now = 0, wallTime: number = Date.UTC(2026, 0, 1)) {
    this.#now = now;
    this.#epoch = wallTime - now;
  }

  now(): number {
    return this.#now;
  }

  wallTime(): number {
    return this.#epoch + this.#now;
  }

  setTimer(callback: () => void, delayMs: number): () => void {
    const timer = { at: this.#now + Math.max(0, delayMs), callback };
    this.#timers.add(timer);
    return () => {
      this.#timers.delete(timer);
    };
  }

  /** Timers that have not fired. */
  get pendingTimers(): number {
    return this.#timers.size;
  }

  /** Moves on, fires what is due in order, and lets promises settle before, between and after. */
  async advance(ms: number): Promise<void> {
    checkForward(ms);
    const until = this.#now + ms;
    await settlePromises();
    for (let next = this.#nextDue(until); next !== undefined; next = this.#nextDue(until)) {
      this.#timers.delete(next);
      this.#now = Math.max(this.#now, next.at);
      next.callback();
      await settlePromises();
    }
    this.#now = until;
    await settlePromises();
  }

  /** Moves on without firing anything: for code that only reads the time. */
  skip(ms: number): void {
    checkForward(ms);
    this.#now += ms;
  }

  #nextDue(until: number): Timer | undefined {
    let next: Timer | undefined;
    for (const timer of this.#timers)
      if (timer.at <= until && (next === undefined || timer.at < next.at)) next = timer;
    return next;
  }
}

/** A clock that went backwards would prove nothing about one that cannot. */
function checkForward(ms: number): void {
  const expected = duration()(ms);
  if (expected !== undefined) throw new InvalidOptionError('ms', expected, ms);
}

/** Longer than any chain of promises in the code under test. */
async function settlePromises(): Promise<void> {
  for (let turn = 0; turn < 50; turn++) await Promise.resolve();
}
