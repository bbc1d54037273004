import { ToolTimeoutError } from '../errors.ts';
import type { Clock } from '../internal/clock.ts';

/** What the work of one attempt gets to know, and tells. */
export interface WatchedAttempt {
  /** Aborts when the time is up or nobody waits any more. Made when it is first looked at. */
  readonly signal: AbortSignal;
  /** Counts from 1. */
  readonly attempt: number;
  /** Whoever works showed life: its time starts anew, up to the longest a call may take. */
  readonly touch: () => void;
  /** Somebody else is being asked: time does not count until what it returns is called. */
  readonly hold: () => () => void;
}

/** How long one attempt may take. */
export interface AttemptLimits {
  /** What is called, for the error. */
  readonly name: string;
  /** How long it may be silent. */
  readonly idleMs: number;
  /** How long the call may take in all, for the error. */
  readonly maxDurationMs: number;
  /** When the call has to be over, on the clock, whatever else happens. */
  readonly deadlineAt: number;
}

/**
 * Ends an attempt that is silent for too long, however long it may take in all. It has one timer, which looks at
 * when there was life last: setting one anew for every sign of it would cost more than to pass it on.
 */
export class AttemptWatch implements WatchedAttempt {
  readonly attempt: number;
  readonly touch: () => void;
  readonly hold: () => () => void;
  readonly #clock: Clock;
  readonly #limits: AttemptLimits;
  #lifeAt: number;
  #holds = 0;
  #wasHeld = false;
  #isOver = false;
  #controller: AbortController | undefined;
  #cancelTimer: (() => void) | undefined;
  #reject: ((error: unknown) => void) | undefined;

  constructor(attempt: number, clock: Clock, limits: AttemptLimits) {
    this.attempt = attempt;
    this.#clock = clock;
    this.#limits = limits;
    this.#lifeAt = clock.now();
    this.touch = () => {
      this.#lifeAt = this.#clock.now();
    };
    this.hold = () => this.#hold();
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    return this.#controller.signal;
  }

  /** Whether somebody else was asked: nobody wants to be asked twice. */
  get wasHeld(): boolean {
    return this.#wasHeld;
  }

  /** How long there was no sign of life; undefined while time does not count, and once it is over. */
  get silentMs(): number | undefined {
    return this.#isOver || this.#holds > 0 ? undefined : this.#clock.now() - this.#lifeAt;
  }

  /** What the work comes to, or a timeout. */
  run<T>(work: (context: WatchedAttempt) => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#reject = reject;
      // Before the timer: what throws at once leaves none behind.
      const working = work(this);
      this.#arm();
      working.then(
        (value) => {
          this.#end();
          resolve(value);
        },
        (error: unknown) => {
          this.#end();
          this.#reject?.(error);
        },
      );
    });
  }

  /** Nobody waits any more: the work is told to stop, unless it has ended. */
  stop(reason: unknown): void {
    if (this.#isOver) return;
    this.#end();
    this.#controller?.abort(reason);
  }

  /** Ends the attempt with an error, unless it is over. The work is stopped for `reason`. */
  fail(error: unknown, reason: unknown = error): void {
    this.stop(reason);
    this.#reject?.(error);
  }

  #end(): void {
    this.#isOver = true;
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
  }

  #hold(): () => void {
    this.#holds++;
    this.#wasHeld = true;
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#holds--;
      this.touch();
      // The timer may stand at the end of the whole call by now.
      if (!this.#isOver) this.#arm();
    };
  }

  #arm(): void {
    this.#cancelTimer?.();
    const leftMs = Math.max(0, this.#dueAt() - this.#clock.now());
    this.#cancelTimer = this.#clock.setTimer(
      () => {
        if (this.#clock.now() < this.#dueAt()) this.#arm();
        else this.#expire();
      },
      leftMs,
      true,
    );
  }

  #dueAt(): number {
    const { idleMs, deadlineAt } = this.#limits;
    return this.#holds > 0 ? deadlineAt : Math.min(this.#lifeAt + idleMs, deadlineAt);
  }

  #expire(): void {
    const { name, idleMs, maxDurationMs, deadlineAt } = this.#limits;
    const isDeadline = this.#clock.now() >= deadlineAt;
    this.fail(new ToolTimeoutError(name, isDeadline ? maxDurationMs : idleMs));
  }
}
