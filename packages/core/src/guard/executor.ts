import { CircuitOpenError, openCircuitMessage } from '../errors.ts';
import { checkOptions, durationOrOff, object, text } from '../internal/check-options.ts';
import type { OptionRule } from '../internal/check-options.ts';
import type { Permit } from '../internal/circuit-machine.ts';
import type { CircuitBreaker, Refusal } from './breaker/circuit-breaker.ts';
import { deadlinesOf } from './deadlines.ts';
import type { Deadlines } from './deadlines.ts';
import type { Outcome } from './executor-outcome.ts';
import { Execution } from './execution.ts';
import type { AttemptContext } from './execution.ts';
import { ENVIRONMENT_RULES, resolveEnvironment } from './guard-environment.ts';
import type { GuardEnvironment, ResolvedEnvironment } from './guard-environment.ts';
import { resolveRetryOptions } from './retry-options.ts';
import type { RetryOptions, RetrySettings } from './retry-options.ts';

/** What an `Executor` puts around each call. */
export interface ExecutorOptions extends GuardEnvironment {
  /** What is called, for events and messages. @defaultValue 'call' */
  readonly name?: string;
  /** How long a call may take with all its attempts; `Infinity` for no limit. @defaultValue 30_000 */
  readonly timeoutMs?: number;
  /** How long one attempt may take. @defaultValue Infinity */
  readonly attemptTimeoutMs?: number;
  /** What a timeout is called. @defaultValue `<name>:timeout` */
  readonly timeoutLabel?: string;
  /** Circuits that all have to admit the call, the innermost first, or what tells them. @defaultValue none */
  readonly circuits?: readonly CircuitBreaker[] | (() => readonly CircuitBreaker[]);
  /** How failures are retried. @defaultValue false */
  readonly retry?: RetryOptions | false;
}

/** What one call is given. */
export interface RunOptions {
  /** Ends the call early; that says nothing about the tool. */
  readonly signal?: AbortSignal | undefined;
}

/** How an `Executor` runs calls unless told otherwise. */
export const EXECUTOR_DEFAULTS: Readonly<{
  name: string;
  timeoutMs: number;
  attemptTimeoutMs: number;
}> = Object.freeze({ name: 'call', timeoutMs: 30_000, attemptTimeoutMs: Infinity });

const RULES: Readonly<Record<keyof ExecutorOptions, OptionRule>> = {
  name: text,
  timeoutMs: durationOrOff(1),
  attemptTimeoutMs: durationOrOff(1),
  timeoutLabel: text,
  circuits: (value) =>
    Array.isArray(value) || typeof value === 'function' ? undefined : 'an array of circuits',
  retry: (value) => (value === false ? undefined : object(value) && 'options, or false'),
  ...ENVIRONMENT_RULES,
};

/**
 * `timeout(circuits(retry(work)))` as one: a single deadline for all of it, a timeout that the circuits see
 * as one, retries that end when a circuit opens or the time runs out, and one attempt for a probe.
 */
export class Executor {
  readonly name: string;
  readonly timeoutMs: number;
  readonly attemptTimeoutMs: number;
  readonly timeoutLabel: string;
  readonly retry: RetrySettings | undefined;
  readonly environment: ResolvedEnvironment;
  readonly deadlines: Deadlines;
  /** A probe that times out must still hold its lease then, or nobody would know that it failed. */
  readonly #leaseMs: number;
  readonly #circuits: readonly CircuitBreaker[] | (() => readonly CircuitBreaker[]);

  constructor(options: ExecutorOptions = {}) {
    checkOptions(options, RULES, 'executor');
    this.name = options.name ?? EXECUTOR_DEFAULTS.name;
    this.timeoutMs = options.timeoutMs ?? EXECUTOR_DEFAULTS.timeoutMs;
    this.attemptTimeoutMs = options.attemptTimeoutMs ?? EXECUTOR_DEFAULTS.attemptTimeoutMs;
    this.timeoutLabel = options.timeoutLabel ?? `${this.name}:timeout`;
    const { retry = false } = options;
    this.retry = retry === false ? undefined : resolveRetryOptions(retry);
    this.environment = resolveEnvironment(options);
    this.deadlines = deadlinesOf(this.environment.clock);
    this.#circuits = options.circuits ?? NO_CIRCUITS;
    this.#leaseMs = this.timeoutMs === Infinity ? 0 : this.timeoutMs + LEASE_MARGIN_MS;
  }

  /** Does the work. Never throws and never rejects: what fails is in the outcome. */
  run<T>(
    work: (context: AttemptContext) => T | Promise<T>,
    options: RunOptions = NO_OPTIONS,
  ): Promise<Outcome<T>> {
    const { signal } = options;
    if (signal?.aborted === true) return Promise.resolve(cancelled(signal));
    const now = this.environment.clock.now();
    const circuits = typeof this.#circuits === 'function' ? this.#circuits() : this.#circuits;
    const permits = acquireAll(circuits, now, this.#leaseMs);
    if ('isRefused' in permits) return Promise.resolve(refused(permits));
    return new Execution<T>(this, work, circuits, permits, signal).start(now);
  }

  /** Does the work and returns its value; throws what went wrong. */
  async call<T>(
    work: (context: AttemptContext) => T | Promise<T>,
    options: RunOptions = NO_OPTIONS,
  ): Promise<T> {
    const outcome = await this.run(work, options);
    // A result that says it is an error is a result: it was not thrown.
    if ('value' in outcome) return outcome.value;
    const { refusal, failure } = outcome;
    if (refusal !== undefined)
      throw new CircuitOpenError(refusal.circuit, refusal.retryAfterMs, refusal.reason);
    throw failure.cause;
  }
}

/** A permit of every circuit, or the first refusal; then no circuit keeps one. */
function acquireAll(
  circuits: readonly CircuitBreaker[],
  now: number,
  leaseMs: number,
): readonly Permit[] | Refusal {
  const permits: Permit[] = [];
  for (const circuit of circuits) {
    const admission = circuit.acquire(now, leaseMs);
    if (!('isRefused' in admission)) {
      permits.push(admission);
      continue;
    }
    for (const [at, permit] of permits.entries()) circuits[at]?.release(permit, now);
    return admission;
  }
  return permits;
}

/** An error is made only where it is thrown: its stack would cost more than all the rest. */
function refused(refusal: Refusal): Outcome<never> {
  const { circuit, retryAfterMs, reason } = refusal;
  const message = openCircuitMessage(circuit, retryAfterMs, reason);
  const failure = { class: 'refused', message, code: 'circuit-open', retryAfterMs } as const;
  return { ok: false, failure, attempts: 0, isProbe: false, retryAfterMs, refusal };
}

function cancelled(signal: AbortSignal): Outcome<never> {
  const reason: unknown = signal.reason;
  const failure = {
    class: 'cancelled',
    message: 'the caller cancelled it',
    cause: reason,
  } as const;
  return { ok: false, failure, attempts: 0, isProbe: false };
}

const NO_OPTIONS: RunOptions = Object.freeze({});
const LEASE_MARGIN_MS = 1000;
const NO_CIRCUITS: readonly CircuitBreaker[] = [];
