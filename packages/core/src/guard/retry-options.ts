import { InvalidOptionError } from '../errors.ts';
import {
  between,
  callable,
  checkOptions,
  count,
  duration,
  durationOrOff,
  flag,
  oneOf,
} from '../internal/check-options.ts';
import type { OptionRule } from '../internal/check-options.ts';
import { FAILURE_RULES } from '../internal/failure-class.ts';
import type { Failure } from '../internal/failure-class.ts';
import { BACKOFF_DEFAULTS } from './backoff.ts';
import type { BackoffSettings, Jitter } from './backoff.ts';
import { RetryBudget } from './retry-budget.ts';

/** Which failures are retried, how often, and how long to wait before. */
export interface RetryOptions {
  /** Retries after the first attempt; 0 for none. @defaultValue 2 */
  readonly maxRetries?: number;
  /** The delay before the first retry. @defaultValue 500 */
  readonly initialDelayMs?: number;
  /** How many times longer each delay is than the one before it. @defaultValue 2 */
  readonly multiplier?: number;
  /** No delay is longer, unless the server asks for it. @defaultValue 30_000 */
  readonly maxDelayMs?: number;
  /** How much of a delay is left to chance. @defaultValue 'full' */
  readonly jitter?: Jitter;
  /** A server that asks for a longer wait is not waited for: its failure is the result. @defaultValue 60_000 */
  readonly maxRetryAfterMs?: number;
  /** Whether making the call twice does no more than making it once. @defaultValue true */
  readonly isIdempotent?: boolean;
  /** Retry calls that are not idempotent all the same. @defaultValue false */
  readonly retriesUnsafe?: boolean;
  /** Which failures are retried. @defaultValue those whose class is retryable in `FAILURE_RULES` */
  readonly retryOn?: (failure: Failure) => boolean;
  /** What retries are paid from; false for no budget. @defaultValue that of the circuit, where there is one */
  readonly budget?: RetryBudget | false | undefined;
}

/** What retries do unless told otherwise. */
export const RETRY_DEFAULTS: Required<Omit<RetryOptions, 'retryOn' | 'budget'>> = Object.freeze({
  maxRetries: 2,
  ...BACKOFF_DEFAULTS,
  maxRetryAfterMs: 60_000,
  isIdempotent: true,
  retriesUnsafe: false,
});

/** Options as they are used. */
export interface RetrySettings extends Required<Omit<RetryOptions, 'budget'>>, BackoffSettings {
  /** Undefined where nothing was said. */
  readonly budget: RetryBudget | false | undefined;
}

const RULES: Readonly<Record<keyof RetryOptions, OptionRule>> = {
  maxRetries: count(0),
  initialDelayMs: duration(),
  multiplier: between(1, 1000),
  maxDelayMs: duration(),
  jitter: oneOf('full', 'equal', 'decorrelated', 'none'),
  maxRetryAfterMs: durationOrOff(),
  isIdempotent: flag,
  retriesUnsafe: flag,
  retryOn: callable,
  budget: (value) =>
    value === false || value instanceof RetryBudget ? undefined : 'a RetryBudget or false',
};

const DEFAULT_SETTINGS: RetrySettings = Object.freeze({
  ...RETRY_DEFAULTS,
  retryOn: ({ class: failureClass }: Failure) => FAILURE_RULES[failureClass].retryable,
  budget: undefined,
});

/** `options` over `base`. Throws on what cannot work. */
export function resolveRetryOptions(
  options: RetryOptions = DEFAULT_SETTINGS,
  base: RetrySettings = DEFAULT_SETTINGS,
): RetrySettings {
  if (resolved.has(options)) return options as RetrySettings;
  checkOptions(options, RULES, 'retry');
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  const settings = { ...base, ...(Object.fromEntries(given) as RetryOptions) };
  const { initialDelayMs, maxDelayMs } = settings;
  if (maxDelayMs < initialDelayMs)
    throw new InvalidOptionError(
      'retry.maxDelayMs',
      `at least initialDelayMs, which is ${initialDelayMs}`,
      maxDelayMs,
    );
  resolved.add(Object.freeze(settings));
  return settings;
}

/** What came from here need not be looked at again. */
const resolved = new WeakSet<object>([DEFAULT_SETTINGS]);
