import { describe, expect, test } from 'vitest';
import { InvalidOptionError } from '../errors.ts';
import { FAILURE_RULES } from '../internal/failure-class.ts';
import type { FailureClass } from '../internal/failure-class.ts';
import { RetryBudget } from './retry-budget.ts';
import { RETRY_DEFAULTS, resolveRetryOptions } from './retry-options.ts';

const classes = Object.keys(FAILURE_RULES) as FailureClass[];

describe('resolveRetryOptions', () => {
  test('has the documented defaults', () => {
    expect(resolveRetryOptions()).toMatchObject(RETRY_DEFAULTS);
    expect(RETRY_DEFAULTS).toMatchObject({ maxRetries: 2, maxRetryAfterMs: 60_000 });
  });

  test.each(classes)('retries failures of class %s as the one table says', (of) => {
    const { retryOn } = resolveRetryOptions();
    expect(retryOn({ class: of, message: '' })).toBe(FAILURE_RULES[of].retryable);
  });

  test('puts options over a base, and what is undefined over nothing', () => {
    const base = resolveRetryOptions({ maxRetries: 5, jitter: 'none' });
    const options = { jitter: 'equal', maxRetries: undefined } as object;
    expect(resolveRetryOptions(options, base)).toMatchObject({ maxRetries: 5, jitter: 'equal' });
  });

  test('returns what it made before as it is', () => {
    const settings = resolveRetryOptions({ maxRetries: 1 });
    expect(resolveRetryOptions(settings)).toBe(settings);
    expect(resolveRetryOptions()).toBe(resolveRetryOptions());
  });

  test.each([
    [{ maxRetries: -1 }, 'retry.maxRetries: expected a whole number of at least 0, got -1'],
    [{ maxRetries: 1.5 }, 'retry.maxRetries'],
    [{ maxRetries: Infinity }, 'retry.maxRetries'],
    [{ initialDelayMs: -1 }, 'retry.initialDelayMs'],
    [{ initialDelayMs: Infinity }, 'retry.initialDelayMs'],
    [{ multiplier: 0.5 }, 'retry.multiplier: expected a number from 1 to 1000, got 0.5'],
    [{ maxDelayMs: Number.NaN }, 'retry.maxDelayMs'],
    [
      { initialDelayMs: 1000, maxDelayMs: 999 },
      'retry.maxDelayMs: expected at least initialDelayMs, which is 1000, got 999',
    ],
    [{ jitter: 'some' }, "retry.jitter: expected 'full' or 'equal' or 'decorrelated' or 'none'"],
    [{ retryOn: true }, 'retry.retryOn: expected a function, got true'],
    [{ isIdempotent: 'yes' }, 'retry.isIdempotent: expected true or false, got "yes"'],
    [{ budget: {} }, 'retry.budget: expected a RetryBudget or false, got an object'],
    [{ maxTries: 3 }, 'retry.maxTries: expected an option that exists'],
  ])('refuses %j', (options, message) => {
    expect(() => resolveRetryOptions(options as object)).toThrow(message);
  });

  test.each([
    { maxRetries: 0 },
    { initialDelayMs: 0 },
    { initialDelayMs: 700, maxDelayMs: 700 },
    { maxRetryAfterMs: Infinity },
    { budget: false } as const,
    { budget: new RetryBudget() },
  ])('accepts %j', (options) => {
    expect(resolveRetryOptions(options)).toMatchObject(options);
  });

  test('looks at delays after they were put over the base', () => {
    const base = resolveRetryOptions({ initialDelayMs: 5000 });
    expect(() => resolveRetryOptions({ maxDelayMs: 1000 }, base)).toThrow(InvalidOptionError);
  });
});
