import {
  isConnectionRefused,
  isFileBusy,
  isLspNotReady,
  isRateLimited,
  isServerError,
  isTimeout,
} from '../detectors.ts';
import { retryOptionsOf } from '../retry-config.ts';
import type { RetryOptions } from '../retry-options.ts';

/** Kinds of tools that come with Holdfast. */
export type ResilienceCategory = 'github' | 'lsp' | 'local' | 'package';

/** How tools of one kind are called. */
export interface CategoryOptions {
  /** How long a call may take with all its attempts. @defaultValue 30_000 */
  readonly timeoutMs?: number;
  /** How failures are retried. @defaultValue false */
  readonly retry?: RetryOptions | false;
}

const isPassing = (error: unknown): boolean =>
  isRateLimited(error) || isServerError(error) || isTimeout(error);

/** Delays are exact, without jitter. Three attempts wait twice. */
export const RESILIENCE_CATEGORIES: Readonly<
  Record<ResilienceCategory, Required<CategoryOptions>>
> = Object.freeze({
  // Limits are by time, so that retries in quick succession would be wasted: delays grow threefold.
  github: {
    timeoutMs: 60_000,
    retry: retryOptionsOf({
      maxAttempts: 3,
      initialDelayMs: 1000,
      maxDelayMs: 30_000,
      backoffMultiplier: 3,
      retryOn: isPassing,
    }),
  },
  lsp: {
    timeoutMs: 30_000,
    retry: retryOptionsOf({
      maxAttempts: 3,
      initialDelayMs: 500,
      maxDelayMs: 5000,
      backoffMultiplier: 2,
      retryOn: (error) => isLspNotReady(error) || isTimeout(error) || isConnectionRefused(error),
    }),
  },
  local: {
    timeoutMs: 30_000,
    retry: retryOptionsOf({
      maxAttempts: 2,
      initialDelayMs: 100,
      maxDelayMs: 1000,
      backoffMultiplier: 2,
      retryOn: (error) => isFileBusy(error) || isTimeout(error),
    }),
  },
  package: {
    timeoutMs: 30_000,
    retry: retryOptionsOf({
      maxAttempts: 3,
      initialDelayMs: 1000,
      maxDelayMs: 15_000,
      backoffMultiplier: 2,
      retryOn: isPassing,
    }),
  },
});
