import { describe, expect, test } from 'vitest';
import { backoffDelay } from '../backoff.ts';
import type { RetryOptions } from '../retry-options.ts';
import { resolveRetryOptions } from '../retry-options.ts';
import { RESILIENCE_CATEGORIES } from './resilience-categories.ts';
import type { ResilienceCategory } from './resilience-categories.ts';

const retryOf = (category: ResilienceCategory): RetryOptions => {
  const { retry } = RESILIENCE_CATEGORIES[category];
  if (retry === false) throw new Error(`${category} retries nothing`);
  return retry;
};

const rows: readonly (readonly [ResilienceCategory, number, number, number, number, number])[] = [
  ['github', 60_000, 2, 1000, 3, 30_000],
  ['lsp', 30_000, 2, 500, 2, 5000],
  ['local', 30_000, 1, 100, 2, 1000],
  ['package', 30_000, 2, 1000, 2, 15_000],
];

describe('categories', () => {
  test.each(rows)(
    '%s: %i ms for all, %i retries, first after %i ms, then %i times as long, up to %i ms',
    (category, timeoutMs, maxRetries, initialDelayMs, multiplier, maxDelayMs) => {
      expect(RESILIENCE_CATEGORIES[category].timeoutMs).toBe(timeoutMs);
      expect(resolveRetryOptions(retryOf(category))).toMatchObject({
        maxRetries,
        initialDelayMs,
        multiplier,
        maxDelayMs,
        jitter: 'none',
      });
    },
  );

  test('are these and no others', () => {
    expect(Object.keys(RESILIENCE_CATEGORIES)).toEqual(rows.map(([category]) => category));
  });

  test.each<[ResilienceCategory, number[]]>([
    ['github', [1000, 3000, 9000, 27_000, 30_000]],
    ['lsp', [500, 1000, 2000, 4000, 5000]],
    ['local', [100, 200, 400, 800, 1000]],
    ['package', [1000, 2000, 4000, 8000, 15_000]],
  ])('%s waits %j ms', (category, delays) => {
    const settings = resolveRetryOptions(retryOf(category));
    const waits = delays.map((_, at) => backoffDelay(at + 1, settings, () => 0.5));
    expect(waits).toEqual(delays);
  });

  const status = (code: number, message = 'failed'): Error =>
    Object.assign(new Error(message), { status: code });
  const system = (code: string): Error => Object.assign(new Error('failed'), { code });
  const errors: readonly (readonly [string, Error, readonly ResilienceCategory[]])[] = [
    ['429', status(429), ['github', 'package']],
    ['403 of a limit', status(403, 'API rate limit exceeded'), ['github', 'package']],
    ['403 of a permission', status(403, 'Resource not accessible'), []],
    ['500', status(500), ['github', 'package']],
    ['599', status(599), ['github', 'package']],
    ['404', status(404), []],
    ['a timeout', new Error('the request timed out'), ['github', 'lsp', 'local', 'package']],
    ['ETIMEDOUT', system('ETIMEDOUT'), ['github', 'lsp', 'local', 'package']],
    ['a language server that starts', new Error('LSP not initialized'), ['lsp']],
    ['ECONNREFUSED', system('ECONNREFUSED'), ['lsp']],
    ['EBUSY', system('EBUSY'), ['local']],
    ['ENOENT', system('ENOENT'), []],
    ['anything else', new Error('no'), []],
  ];

  test.each(errors)('%s is retried where it may pass', (_, cause, categories) => {
    const retrying = rows
      .map(([category]) => category)
      .filter((category) =>
        retryOf(category).retryOn?.({ class: 'tool-error', message: '', cause }),
      );
    expect(retrying).toEqual(categories);
  });
});
