import type { Failure } from '../internal/failure-class.ts';
import { readReturned, readThrown } from '../internal/read-failure.ts';
import { abortableDelay } from './abortable-delay.ts';
import { resolveEnvironment } from './guard-environment.ts';
import type { GuardEnvironment, ResolvedEnvironment } from './guard-environment.ts';
import { planRetry } from './plan-retry.ts';
import type { AbandonReason, RetryGate } from './plan-retry.ts';
import { retryOptionsOf } from './retry-config.ts';
import type { RetryConfig } from './retry-config.ts';
import { resolveRetryOptions } from './retry-options.ts';
import type { RetryOptions, RetrySettings } from './retry-options.ts';

/** What an attempt is told. */
export interface RetryAttempt {
  /** Which one it is, from 1. */
  readonly attempt: number;
  readonly signal: AbortSignal | undefined;
}

/** What one run of `withRetry` is given besides its options. */
export interface RetryRun extends GuardEnvironment {
  /** Ends the run: a delay at once, an attempt when it looks at the signal. */
  readonly signal?: AbortSignal | undefined;
  /** What events call the work. @defaultValue 'unknown' */
  readonly tool?: string | undefined;
  /** When the call has to be over, on the clock: no delay goes past it. @defaultValue Infinity */
  readonly deadlineAt?: number | undefined;
  /** What a circuit around the retries says of them. @defaultValue none */
  readonly gate?: RetryGate | undefined;
}

/**
 * Makes the call again while its failures may pass. In the end throws the last error as it was thrown, or returns
 * what the tool returned, also where that says `isError`.
 */
export function withRetry<T>(
  operation: (attempt: RetryAttempt) => T | Promise<T>,
  config: RetryConfig,
  run?: RetryRun,
): Promise<T>;
export function withRetry<T>(
  operation: (attempt: RetryAttempt) => T | Promise<T>,
  options?: RetryOptions,
  run?: RetryRun,
): Promise<T>;
export async function withRetry<T>(
  operation: (attempt: RetryAttempt) => T | Promise<T>,
  options: RetryOptions | RetryConfig = {},
  run: RetryRun = {},
): Promise<T> {
  const given = 'maxAttempts' in options ? retryOptionsOf(options) : options;
  const retries = new Retries(resolveRetryOptions(given), run);
  const { signal } = run;
  signal?.throwIfAborted();
  for (let attempt = 1; ; attempt++) {
    let value: T;
    try {
      value = await operation({ attempt, signal });
    } catch (error) {
      if (await retries.waitForNext(retries.read(error), attempt)) continue;
      throw error;
    }
    const failure = readReturned(value);
    if (failure === undefined) retries.succeeded();
    if (failure === undefined || !(await retries.waitForNext(failure, attempt))) return value;
  }
}

/** What one run knows between its attempts. */
class Retries {
  readonly #settings: RetrySettings;
  readonly #run: RetryRun;
  readonly #environment: ResolvedEnvironment;
  #previousMs: number | undefined;

  constructor(settings: RetrySettings, run: RetryRun) {
    this.#settings = settings;
    this.#run = run;
    this.#environment = resolveEnvironment(run);
  }

  read(error: unknown): Failure {
    return readThrown(error, this.#run.signal, this.#environment.clock.wallTime());
  }

  succeeded(): void {
    if (this.#settings.budget) this.#settings.budget.succeeded();
  }

  /** Waits for the next attempt, or says that there is none. Throws the signal's reason when it aborts meanwhile. */
  async waitForNext(failure: Failure, attempt: number): Promise<boolean> {
    const { clock, emit } = this.#environment;
    const { signal, tool: name = 'unknown', gate } = this.#run;
    const abandon = (reason: AbandonReason | undefined): false => {
      if (reason !== undefined) emit?.({ type: 'retry-abandoned', name, attempt, reason, failure });
      return false;
    };

    const plan = this.#plan(failure, attempt);
    if (typeof plan !== 'number') return abandon(plan);
    this.#previousMs = plan;
    const maxAttempts = this.#settings.maxRetries + 1;
    emit?.({ type: 'retry-scheduled', name, attempt, maxAttempts, delayMs: plan, failure });
    try {
      await abortableDelay(plan, clock, signal);
    } catch (reason) {
      abandon('aborted');
      throw reason;
    }
    // Others may have opened the circuit during the delay.
    const shut = gate?.whyShut();
    return shut === undefined || abandon(shut);
  }

  #plan(failure: Failure, attempt: number): number | AbandonReason | undefined {
    const { signal, gate, deadlineAt = Infinity } = this.#run;
    const { clock, random } = this.#environment;
    if (signal?.aborted === true)
      return attempt > this.#settings.maxRetries ? undefined : 'aborted';
    return planRetry(failure, this.#settings, {
      attempt,
      now: clock.now(),
      deadlineAt,
      random,
      gate,
      previousMs: this.#previousMs,
    });
  }
}
