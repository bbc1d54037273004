import { ToolTimeoutError } from '../errors.ts';
import type { Permit } from '../internal/circuit-machine.ts';
import type { Failure } from '../internal/failure-class.ts';
import { readReturned, readThrown } from '../internal/read-failure.ts';
import type { CircuitBreaker } from './breaker/circuit-breaker.ts';
import type { DeadlineEntry, DeadlineList } from './deadlines.ts';
import type { Outcome } from './executor-outcome.ts';
import type { Executor } from './executor.ts';
import { LazySignal } from './lazy-signal.ts';
import { planRetry } from './plan-retry.ts';
import type { AbandonReason, RetryGate } from './plan-retry.ts';
import { RetryBudget } from './retry-budget.ts';
import { TimedAttempt } from './timed-attempt.ts';

/** What the work gets to know. */
export interface AttemptContext {
  /** Aborted when the call times out or the caller gives up. Made when it is first looked at. */
  readonly signal: AbortSignal;
  /** Counts from 1. */
  readonly attempt: number;
  /** When the attempt has to be over, on the clock of the executor. */
  readonly deadlineAt: number;
}

export type Work<T> = (context: AttemptContext) => T | Promise<T>;

/**
 * One call on its way through an executor. It is its own entry among the deadlines and its own context, so
 * that a call that succeeds at once makes little else.
 */
export class Execution<T> implements DeadlineEntry, AttemptContext, RetryGate {
  attempt = 0;
  deadlineAt: number = Infinity;
  previous: DeadlineEntry | undefined = undefined;
  next: DeadlineEntry | undefined = undefined;
  list: DeadlineList | undefined = undefined;
  readonly #executor: Executor;
  readonly #work: Work<T>;
  readonly #circuits: readonly CircuitBreaker[];
  /** One of each circuit. */
  readonly #permits: readonly Permit[];
  readonly #outer: AbortSignal | undefined;
  /** Undefined once the call is over: whatever comes later is of no interest. */
  #resolve: ((outcome: Outcome<T>) => void) | undefined;
  #lazy: LazySignal | undefined;
  #timed: TimedAttempt | undefined;
  #cancelDelay: (() => void) | undefined;
  #delayMs: number | undefined;

  constructor(
    executor: Executor,
    work: Work<T>,
    circuits: readonly CircuitBreaker[],
    permits: readonly Permit[],
    outer: AbortSignal | undefined,
  ) {
    this.#executor = executor;
    this.#work = work;
    this.#circuits = circuits;
    this.#permits = permits;
    this.#outer = outer;
  }

  get signal(): AbortSignal {
    this.#lazy ??= new LazySignal();
    return this.#lazy.signal;
  }

  start(now: number): Promise<Outcome<T>> {
    const { timeoutMs, deadlines } = this.#executor;
    if (timeoutMs !== Infinity) deadlines.add(this, timeoutMs, now);
    if (this.#outer !== undefined) {
      this.#lazy = new LazySignal(this.#outer, (reason) => {
        this.#cancel(reason);
      });
    }
    return new Promise((resolve) => {
      this.#resolve = resolve;
      this.#begin();
    });
  }

  /** The time for the whole call is over. */
  expire(): void {
    const { timeoutMs, timeoutLabel, environment, name } = this.#executor;
    const error = new ToolTimeoutError(timeoutLabel, timeoutMs);
    const { message, code } = error;
    environment.emit?.({ type: 'call-timed-out', name, timeoutMs });
    this.#finish({ class: 'timeout', message, code, cause: error });
    this.#lazy?.abort(error);
    this.#timed?.abort(error);
  }

  #cancel(reason: unknown): void {
    this.#finish({ class: 'cancelled', message: 'the caller cancelled it', cause: reason });
    this.#timed?.abort(reason);
  }

  #begin(): void {
    const attempt = ++this.attempt;
    const { attemptTimeoutMs, environment, deadlines } = this.#executor;
    if (attemptTimeoutMs === Infinity) {
      this.#perform(this, attempt);
      return;
    }
    const timed: TimedAttempt = new TimedAttempt(attempt, () => {
      this.#attemptTimedOut(timed);
    });
    this.#timed = timed;
    deadlines.add(timed, attemptTimeoutMs, environment.clock.now());
    this.#perform(timed, attempt);
  }

  #perform(context: AttemptContext, attempt: number): void {
    let result: T | Promise<T>;
    try {
      result = this.#work(context);
    } catch (error) {
      this.#threw(attempt, error);
      return;
    }
    if (isThenable(result)) {
      result.then(
        (value) => {
          this.#returned(attempt, value);
        },
        (error: unknown) => {
          this.#threw(attempt, error);
        },
      );
    } else this.#returned(attempt, result);
  }

  #returned(attempt: number, value: T): void {
    if (this.#isPast(attempt)) return;
    const failure = readReturned(value);
    if (failure === undefined) this.#succeed(value);
    else this.#failed(failure, { value });
  }

  #threw(attempt: number, error: unknown): void {
    if (this.#isPast(attempt)) return;
    const { clock } = this.#executor.environment;
    this.#failed(readThrown(error, this.#outer, clock.wallTime()));
  }

  /** An attempt that is past is among no deadlines any more. */
  #attemptTimedOut(timed: TimedAttempt): void {
    const { attemptTimeoutMs, timeoutLabel, environment, name } = this.#executor;
    const error = new ToolTimeoutError(timeoutLabel, attemptTimeoutMs);
    const { message, code } = error;
    environment.emit?.({ type: 'call-timed-out', name, timeoutMs: attemptTimeoutMs });
    timed.abort(error);
    this.#failed({ class: 'timeout', message, code, cause: error });
  }

  /** Whether nobody waits for this attempt any more. */
  #isPast(attempt: number): boolean {
    return this.#resolve === undefined || attempt !== this.attempt;
  }

  #succeed(value: T): void {
    const resolve = this.#close();
    const { environment, retry } = this.#executor;
    const circuits = this.#circuits;
    const now = environment.clock.now();
    for (let at = 0; at < circuits.length; at++) {
      const permit = this.#permits[at];
      if (permit !== undefined) circuits[at]?.settle(permit, undefined, now);
    }
    if (retry?.budget instanceof RetryBudget) retry.budget.succeeded();
    resolve?.({ ok: true, value, attempts: this.attempt, isProbe: this.#isProbe });
  }

  #failed(failure: Failure, returned?: { readonly value: T }): void {
    const { retry, environment, deadlines, name } = this.#executor;
    if (this.#timed !== undefined) deadlines.remove(this.#timed);
    const plan =
      retry === undefined
        ? undefined
        : planRetry(failure, retry, {
            attempt: this.attempt,
            now: environment.clock.now(),
            deadlineAt: this.deadlineAt,
            random: environment.random,
            gate: this,
            previousMs: this.#delayMs,
          });
    if (retry === undefined || plan === undefined) {
      this.#finish(failure, returned);
      return;
    }
    if (typeof plan === 'string') {
      this.#abandon(plan, failure, returned);
      return;
    }
    this.#delayMs = plan;
    const { attempt } = this;
    const maxAttempts = retry.maxRetries + 1;
    environment.emit?.({
      type: 'retry-scheduled',
      name,
      attempt,
      maxAttempts,
      delayMs: plan,
      failure,
    });
    // What the attempt still does is of no interest: the next one begins anew.
    this.#timed = undefined;
    this.#cancelDelay = environment.clock.setTimer(() => {
      // Others may have opened the circuit during the delay.
      const reason = this.whyShut();
      if (reason === undefined) this.#begin();
      else this.#abandon(reason, failure, returned);
    }, plan);
  }

  #abandon(reason: AbandonReason, failure: Failure, returned?: { readonly value: T }): void {
    const { attempt } = this;
    const { environment, name } = this.#executor;
    environment.emit?.({ type: 'retry-abandoned', name, attempt, reason, failure });
    this.#finish(failure, returned);
  }

  whyShut(): AbandonReason | undefined {
    // A probe is one request: several would be what the open time was to prevent.
    if (this.#isProbe) return 'probe';
    const hasOpened = this.#circuits.some(
      ({ settings, state }) => settings.mode === 'enforce' && state !== 'closed',
    );
    return hasOpened ? 'circuit-open' : undefined;
  }

  affords(failure: Failure, now: number): boolean {
    return this.#circuits[0]?.affordsRetry(failure, now) ?? true;
  }

  get #isProbe(): boolean {
    for (const { isProbe } of this.#permits) if (isProbe) return true;
    return false;
  }

  #finish(failure: Failure, returned?: { readonly value: T }): void {
    const resolve = this.#close();
    if (resolve === undefined) return;
    const now = this.#executor.environment.clock.now();
    // A hundred calls of one tool that hang are known after the first few: once its circuit has opened, the
    // others tell the circuits of its server nothing new, and must not lock out its siblings.
    let isNews = true;
    for (const [at, circuit] of this.#circuits.entries()) {
      const permit = this.#permits[at];
      if (permit === undefined) continue;
      const isLate = permit.generation !== circuit.generation;
      if (isNews) circuit.settle(permit, failure, now);
      else circuit.release(permit, now);
      isNews &&= !isLate;
    }
    const { retryAfterMs } = failure;
    const when = retryAfterMs === undefined ? {} : { retryAfterMs };
    const { attempt: attempts } = this;
    resolve({ ok: false, failure, ...returned, attempts, isProbe: this.#isProbe, ...when });
  }

  /** Lets go of everything. Returns what ends the call, once. */
  #close(): ((outcome: Outcome<T>) => void) | undefined {
    const resolve = this.#resolve;
    this.#resolve = undefined;
    const { deadlines } = this.#executor;
    deadlines.remove(this);
    if (this.#timed !== undefined) deadlines.remove(this.#timed);
    this.#cancelDelay?.();
    this.#lazy?.release();
    return resolve;
  }
}

function isThenable<T>(result: T | PromiseLike<T>): result is PromiseLike<T> {
  return (
    typeof result === 'object' &&
    result !== null &&
    'then' in result &&
    typeof result.then === 'function'
  );
}
