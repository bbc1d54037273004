import type { Failure } from '../internal/failure-class.ts';
import type { Random } from '../internal/random.ts';
import { backoffDelay } from './backoff.ts';
import type { RetryBudget } from './retry-budget.ts';
import type { RetrySettings } from './retry-options.ts';

/** Why there is no other attempt. */
export type NoRetry =
  'used-up' | 'not-retryable' | 'not-idempotent' | 'retry-after-too-long' | 'deadline' | 'budget';

/** What the decision depends on besides the failure and the options. */
export interface RetrySituation {
  /** The attempt that failed, from 1. */
  readonly attempt: number;
  readonly now: number;
  /** When the call has to be over; Infinity where there is no such time. */
  readonly deadlineAt: number;
  readonly random: Random;
  readonly budget: RetryBudget | false | undefined;
  /** The delay before the attempt that failed, if there was one. */
  readonly previousMs: number | undefined;
}

/** How long to wait before the next attempt, or why there is none. A retry that is granted is paid for. */
export function planRetry(
  failure: Failure,
  settings: RetrySettings,
  situation: RetrySituation,
): number | NoRetry {
  const { attempt, now, deadlineAt, random, budget, previousMs } = situation;
  if (attempt > settings.maxRetries) return 'used-up';
  if (!settings.retryOn(failure)) return 'not-retryable';
  if (!settings.isIdempotent && !settings.retriesUnsafe) return 'not-idempotent';
  const askedMs = failure.retryAfterMs ?? 0;
  if (askedMs > settings.maxRetryAfterMs) return 'retry-after-too-long';
  const delayMs = Math.max(backoffDelay(attempt, settings, random, previousMs), askedMs);
  // The time would be over before the next attempt begins: better to know now.
  if (now + delayMs >= deadlineAt) return 'deadline';
  // Last, so that nothing is paid for a retry that is not made.
  if (budget && !budget.take(failure.class, now)) return 'budget';
  return delayMs;
}
