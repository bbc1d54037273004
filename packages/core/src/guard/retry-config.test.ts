import { describe, expect, test } from 'vitest';
import { retryOptionsOf } from './retry-config.ts';
import type { RetryConfig } from './retry-config.ts';

describe('retryOptionsOf', () => {
  test('takes attempts for calls in all, and delays without chance', () => {
    const config = {
      maxAttempts: 3,
      initialDelayMs: 1000,
      maxDelayMs: 30_000,
      backoffMultiplier: 3,
    };
    expect(retryOptionsOf(config)).toEqual({
      maxRetries: 2,
      initialDelayMs: 1000,
      maxDelayMs: 30_000,
      multiplier: 3,
      jitter: 'none',
    });
    expect(retryOptionsOf({ maxAttempts: 1 })).toEqual({ maxRetries: 0, jitter: 'none' });
  });

  test('asks retryOn about what was thrown', () => {
    const { retryOn } = retryOptionsOf({ maxAttempts: 2, retryOn: (error) => error === 'busy' });
    expect(retryOn?.({ class: 'tool-error', message: '', cause: 'busy' })).toBe(true);
    expect(retryOn?.({ class: 'server', message: '', cause: 'other' })).toBe(false);
  });

  test.each([
    [{ maxAttempts: 0 }, 'retry.maxAttempts: expected a whole number of at least 1, got 0'],
    [{ maxAttempts: -2 }, 'retry.maxAttempts: expected a whole number of at least 1, got -2'],
    [{ maxAttempts: undefined }, 'retry.maxAttempts'],
    [{}, 'retry.maxAttempts: expected a whole number of at least 1, got undefined'],
    [{ maxAttempts: 3, multiplier: 2 }, 'retry.multiplier: expected an option that exists'],
  ])('refuses %j', (config, message) => {
    expect(() => retryOptionsOf(config as RetryConfig)).toThrow(message);
  });
});
