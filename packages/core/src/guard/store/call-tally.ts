import type { TransitionReason } from '../../internal/circuit-machine.ts';

/** What a replica counted since its last report. */
export interface Counted {
  readonly calls: number;
  readonly failures: number;
  readonly slow: number;
  readonly trailingFailures: number;
  readonly retryAfterMs: number;
  readonly trip: TransitionReason | undefined;
  /** When the first of these was counted. */
  readonly since: number;
}

/** Counts for the fleet: numbers, however many calls there are and however long nobody asks for them. */
export class CallTally {
  #calls = 0;
  #failures = 0;
  #slow = 0;
  #trailingFailures = 0;
  #retryAfterMs = 0;
  #trip: TransitionReason | undefined = undefined;
  #since = 0;

  get isEmpty(): boolean {
    return this.#calls === 0 && this.#trip === undefined;
  }

  /** Successes among what was counted. */
  get successes(): number {
    return this.#calls - this.#failures;
  }

  count(isFailure: boolean, isSlow: boolean, now: number, retryAfterMs: number): void {
    if (this.#calls === 0) this.#since = now;
    this.#calls++;
    if (isSlow) this.#slow++;
    if (!isFailure) {
      this.#trailingFailures = 0;
      return;
    }
    this.#failures++;
    this.#trailingFailures++;
    if (retryAfterMs > this.#retryAfterMs) this.#retryAfterMs = retryAfterMs;
  }

  /** The replica's own gate has opened. */
  tripped(reason: TransitionReason, now: number): void {
    if (this.isEmpty) this.#since = now;
    this.#trip = reason;
  }

  /** All of it, which is forgotten here. What is older than the window says nothing any more. */
  take(windowMs: number, now: number): Counted {
    const counted = {
      calls: this.#calls,
      failures: this.#failures,
      slow: this.#slow,
      trailingFailures: this.#trailingFailures,
      retryAfterMs: this.#retryAfterMs,
      trip: this.#trip,
      since: this.#since,
    };
    const isOld = !this.isEmpty && now - this.#since > windowMs;
    this.clear();
    return isOld ? { ...NOTHING, since: now } : counted;
  }

  /** What was taken did not get through: it stands before what was counted since. */
  putBack(counted: Counted): void {
    if (counted.calls === 0 && counted.trip === undefined) return;
    const hasSucceeded = this.#calls > this.#failures;
    this.#calls += counted.calls;
    this.#failures += counted.failures;
    this.#slow += counted.slow;
    if (!hasSucceeded) this.#trailingFailures += counted.trailingFailures;
    this.#retryAfterMs = Math.max(this.#retryAfterMs, counted.retryAfterMs);
    this.#trip ??= counted.trip;
    this.#since = counted.since;
  }

  clear(): void {
    this.#calls = 0;
    this.#failures = 0;
    this.#slow = 0;
    this.#trailingFailures = 0;
    this.#retryAfterMs = 0;
    this.#trip = undefined;
  }
}

const NOTHING = {
  calls: 0,
  failures: 0,
  slow: 0,
  trailingFailures: 0,
  retryAfterMs: 0,
  trip: undefined,
} as const;
