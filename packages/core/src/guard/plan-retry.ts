import type { Failure } from '../internal/failure-class.ts';
import type { Random } from '../internal/random.ts';
import { backoffDelay } from './backoff.ts';
import type { GuardEvent } from './guard-event.ts';
import type { RetrySettings } from './retry-options.ts';

/** Why there is no other attempt, although one was to be expected. */
export type AbandonReason = Extract<GuardEvent, { type: 'retry-abandoned' }>['reason'];

/** What the circuit that a call is inside of says of its retries. */
export interface RetryGate {
  /** Why there may be no other attempt; undefined while there may be. */
  whyShut(): AbandonReason | undefined;
  /** Whether its budget affords a retry after such a failure; if so, it is paid. */
  affords(failure: Failure, now: number): boolean;
}

/** What the decision depends on besides the failure and the options. */
export interface RetrySituation {
  /** The attempt that failed, from 1. */
  readonly attempt: number;
  readonly now: number;
  /** When the call has to be over; Infinity where there is no such time. */
  readonly deadlineAt: number;
  readonly random: Random;
  readonly gate: RetryGate | undefined;
  /** The delay before the attempt that failed, if there was one. */
  readonly previousMs: number | undefined;
}

/**
 * How long to wait before the next attempt, or why there is none; undefined where there was none to expect: the
 * attempts are used up, or such a failure is not retried. A retry that is granted is paid for.
 */
export function planRetry(
  failure: Failure,
  settings: RetrySettings,
  { attempt, now, deadlineAt, random, gate, previousMs }: RetrySituation,
): number | AbandonReason | undefined {
  if (attempt > settings.maxRetries || !settings.retryOn(failure)) return undefined;
  if (!settings.isIdempotent && !settings.retriesUnsafe) return 'not-idempotent';
  const shut = gate?.whyShut();
  if (shut !== undefined) return shut;
  const askedMs = failure.retryAfterMs ?? 0;
  if (askedMs > settings.maxRetryAfterMs) return 'retry-after';
  const delayMs = Math.max(backoffDelay(attempt, settings, random, previousMs), askedMs);
  // The time would be over before the next attempt begins: better to know now.
  if (now + delayMs >= deadlineAt) return 'deadline';
  // Last, so that nothing is paid for a retry that is not made.
  return affords(settings, gate, failure, now) ? delayMs : 'budget';
}

function affords(
  { budget }: RetrySettings,
  gate: RetryGate | undefined,
  failure: Failure,
  now: number,
): boolean {
  if (budget === false) return true;
  if (budget !== undefined) return budget.take(failure.class, now);
  return gate?.affords(failure, now) ?? true;
}
