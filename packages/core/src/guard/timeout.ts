import { InvalidOptionError, ToolTimeoutError } from '../errors.ts';
import type { Clock } from '../internal/clock.ts';
import { deadlinesOf } from './deadlines.ts';
import type { DeadlineEntry, DeadlineList, Deadlines } from './deadlines.ts';
import { resolveEnvironment } from './guard-environment.ts';
import type { GuardEnvironment } from './guard-environment.ts';
import type { GuardEventListener } from './guard-event.ts';
import { LazySignal } from './lazy-signal.ts';

/** What the work is given. */
export interface TimedWork {
  /** Aborts when the time is over or the caller aborts. Made when it is looked at. */
  readonly signal: AbortSignal;
}

/** What one run of `withTimeout` is given besides its time. */
export interface TimeoutRun extends GuardEnvironment {
  /** The caller's: ends the call at once, with the caller's reason. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Makes the call, and rejects with `ToolTimeoutError` when it is not over in time; `Infinity` waits for ever. The
 * work is told to stop by its signal. What becomes of it after that is nobody's business: a result is dropped, and
 * so is an error.
 */
export async function withTimeout<T>(
  operation: (work: TimedWork) => T | Promise<T>,
  timeoutMs: number,
  label = 'timeout',
  run: TimeoutRun = {},
): Promise<T> {
  checkTimeout(timeoutMs);
  const { signal } = run;
  signal?.throwIfAborted();
  const { clock, emit } = resolveEnvironment(run);
  return new Promise<T>((resolve, reject) => {
    const call = new TimedCall(resolve, reject, timeoutMs, label, emit, signal);
    call.start(operation, clock);
  });
}

/** Throws on a time that cannot work. */
export function checkTimeout(timeoutMs: number): void {
  if (!(timeoutMs > 0))
    throw new InvalidOptionError('timeoutMs', 'milliseconds above 0, or Infinity', timeoutMs);
}

/** One call under way; it ends once. */
class TimedCall<T> implements TimedWork, DeadlineEntry {
  deadlineAt = Infinity;
  previous: DeadlineEntry | undefined;
  next: DeadlineEntry | undefined;
  list: DeadlineList | undefined;
  readonly #resolve: (value: T) => void;
  readonly #reject: (reason: unknown) => void;
  readonly #timeoutMs: number;
  readonly #label: string;
  readonly #emit: GuardEventListener | undefined;
  readonly #signal: LazySignal;
  #deadlines: Deadlines | undefined;

  constructor(
    resolve: (value: T) => void,
    reject: (reason: unknown) => void,
    timeoutMs: number,
    label: string,
    emit: GuardEventListener | undefined,
    outer: AbortSignal | undefined,
  ) {
    this.#resolve = resolve;
    this.#reject = reject;
    this.#timeoutMs = timeoutMs;
    this.#label = label;
    this.#emit = emit;
    this.#signal = new LazySignal(outer, outer && this.#fail);
  }

  get signal(): AbortSignal {
    return this.#signal.signal;
  }

  start(operation: (work: TimedWork) => T | Promise<T>, clock: Clock): void {
    if (this.#timeoutMs < Infinity) {
      this.#deadlines = deadlinesOf(clock);
      this.#deadlines.add(this, this.#timeoutMs, clock.now());
    }
    try {
      // Both ways out are taken care of, so that a late rejection is not an unhandled one.
      Promise.resolve(operation(this)).then(this.#succeed, this.#fail);
    } catch (error) {
      this.#fail(error);
    }
  }

  expire(): void {
    const error = new ToolTimeoutError(this.#label, this.#timeoutMs);
    this.#fail(error);
    this.#signal.abort(error);
    this.#emit?.({ type: 'call-timed-out', name: this.#label, timeoutMs: this.#timeoutMs });
  }

  readonly #succeed = (value: T): void => {
    this.#end();
    this.#resolve(value);
  };

  readonly #fail = (reason: unknown): void => {
    this.#end();
    this.#reject(reason);
  };

  #end(): void {
    this.#deadlines?.remove(this);
    this.#signal.release();
  }
}
