import type { DeadlineEntry, DeadlineList } from './deadlines.ts';
import type { AttemptContext } from './execution.ts';
import { LazySignal } from './lazy-signal.ts';

/** An attempt with a deadline and a signal of its own: its timeout must not end the attempts after it. */
export class TimedAttempt implements DeadlineEntry, AttemptContext {
  readonly attempt: number;
  deadlineAt: number = Infinity;
  previous: DeadlineEntry | undefined = undefined;
  next: DeadlineEntry | undefined = undefined;
  list: DeadlineList | undefined = undefined;
  readonly #lazy = new LazySignal();
  readonly #onExpire: () => void;

  constructor(attempt: number, onExpire: () => void) {
    this.attempt = attempt;
    this.#onExpire = onExpire;
  }

  get signal(): AbortSignal {
    return this.#lazy.signal;
  }

  expire(): void {
    this.#onExpire();
  }

  abort(reason: unknown): void {
    this.#lazy.abort(reason);
  }
}
