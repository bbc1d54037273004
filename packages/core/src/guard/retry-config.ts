import { InvalidOptionError } from '../errors.ts';
import { checkOptions, count } from '../internal/check-options.ts';
import type { RetryOptions } from './retry-options.ts';

/** Retries as configurations elsewhere write them: attempts instead of retries, and delays without chance. */
export interface RetryConfig {
  /** Calls in all, the first one included. */
  readonly maxAttempts: number;
  /** @defaultValue 500 */
  readonly initialDelayMs?: number;
  /** @defaultValue 30_000 */
  readonly maxDelayMs?: number;
  /** @defaultValue 2 */
  readonly backoffMultiplier?: number;
  /** Given what was thrown or returned. @defaultValue as in `RetryOptions` */
  readonly retryOn?: (error: unknown) => boolean;
}

const ANYTHING = (): undefined => undefined;

/** What is checked here is only what has another name there. */
const RULES = {
  maxAttempts: count(1),
  initialDelayMs: ANYTHING,
  maxDelayMs: ANYTHING,
  backoffMultiplier: ANYTHING,
  retryOn: ANYTHING,
};

/** The same in our terms: 3 attempts are 2 retries. */
export function retryOptionsOf(config: RetryConfig): RetryOptions {
  checkOptions(config, RULES, 'retry');
  const { maxAttempts, backoffMultiplier, initialDelayMs, maxDelayMs, retryOn } = config;
  if ((maxAttempts as number | undefined) === undefined)
    throw new InvalidOptionError('retry.maxAttempts', 'a whole number of at least 1', maxAttempts);
  return {
    maxRetries: maxAttempts - 1,
    jitter: 'none',
    ...(initialDelayMs !== undefined && { initialDelayMs }),
    ...(maxDelayMs !== undefined && { maxDelayMs }),
    ...(backoffMultiplier !== undefined && { multiplier: backoffMultiplier }),
    ...(retryOn !== undefined && { retryOn: ({ cause }) => retryOn(cause) }),
  };
}
