import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BACKOFF_DEFAULTS, backoffDelay } from './backoff.ts';
import type { BackoffSettings } from './backoff.ts';

const noChance = (): number => {
  throw new Error('chance was asked');
};

const plain = (
  initialDelayMs: number,
  multiplier: number,
  maxDelayMs: number,
): BackoffSettings => ({
  initialDelayMs,
  multiplier,
  maxDelayMs,
  jitter: 'none',
});

const delays = (settings: BackoffSettings, count: number): number[] =>
  Array.from({ length: count }, (_, at) => backoffDelay(at + 1, settings, noChance));

const chance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const growth = fc
  .record({
    initialDelayMs: fc.integer({ min: 0, max: 10_000 }),
    multiplier: fc.double({ min: 1, max: 10, noNaN: true }),
    more: fc.integer({ min: 0, max: 100_000 }),
  })
  .map(({ initialDelayMs, multiplier, more }) =>
    plain(initialDelayMs, multiplier, initialDelayMs + more),
  );
const retryNumber = fc.integer({ min: 1, max: 10_000 });

describe('backoffDelay', () => {
  test.each([
    ['language servers', plain(500, 2, 5000), [500, 1000, 2000, 4000, 5000, 5000]],
    ['GitHub', plain(1000, 3, 30_000), [1000, 3000, 9000, 27_000, 30_000]],
    ['package registries', plain(1000, 2, 15_000), [1000, 2000, 4000, 8000, 15_000]],
    ['local files', plain(100, 2, 1000), [100, 200, 400, 800, 1000]],
    ['a multiplier of 1', plain(250, 1, 1000), [250, 250, 250]],
    ['no delay', plain(0, 2, 1000), [0, 0, 0]],
  ])(
    'grows and is capped, without chance where there is no jitter: %s',
    (_, settings, expected) => {
      expect(delays(settings, expected.length)).toEqual(expected);
    },
  );

  test('has the defaults 500, doubling, at most 30,000', () => {
    const settings: BackoffSettings = { ...BACKOFF_DEFAULTS, jitter: 'none' };
    expect(delays(settings, 8)).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
    expect(BACKOFF_DEFAULTS.jitter).toBe('full');
  });

  test('is the cap, not Infinity or NaN, after ten thousand retries', () => {
    expect(backoffDelay(10_000, plain(500, 2, 30_000), noChance)).toBe(30_000);
    expect(backoffDelay(10_000, plain(0, 2, 30_000), noChance)).toBe(0);
    expect(backoffDelay(10_000, { ...plain(0, 2, 30_000), jitter: 'full' }, () => 0.5)).toBe(0);
  });

  test.each([
    ['full', 0, 0],
    ['full', 0.25, 1000],
    ['full', 0.9999, 3999],
    ['equal', 0, 2000],
    ['equal', 0.5, 3000],
    ['equal', 0.9999, 3999],
  ] as const)('with %s jitter and chance %d waits %d of 4000 ms', (jitter, drawn, expected) => {
    expect(backoffDelay(4, { ...plain(500, 2, 30_000), jitter }, () => drawn)).toBe(expected);
  });

  test('with decorrelated jitter waits from the first delay to three times the last', () => {
    const settings: BackoffSettings = { ...plain(100, 2, 1000), jitter: 'decorrelated' };
    expect(backoffDelay(1, settings, () => 0)).toBe(100);
    expect(backoffDelay(1, settings, () => 0.5)).toBe(200);
    expect(backoffDelay(2, settings, () => 0.5, 200)).toBe(350);
    expect(backoffDelay(2, settings, () => 0, 200)).toBe(100);
    expect(backoffDelay(9, settings, () => 0.9999, 900)).toBe(1000);
  });

  test('never leaves its bounds', () => {
    fc.assert(
      fc.property(growth, retryNumber, chance, (settings, retry, drawn) => {
        const whole = backoffDelay(retry, settings, noChance);
        const full = backoffDelay(retry, { ...settings, jitter: 'full' }, () => drawn);
        const equal = backoffDelay(retry, { ...settings, jitter: 'equal' }, () => drawn);
        return (
          whole <= settings.maxDelayMs &&
          whole >= settings.initialDelayMs &&
          full >= 0 &&
          full <= whole &&
          equal >= Math.floor(whole / 2) &&
          equal <= whole
        );
      }),
    );
  });

  test('never gets shorter without jitter', () => {
    fc.assert(
      fc.property(growth, retryNumber, (settings, retry) => {
        const [delayMs, nextMs] = [retry, retry + 1].map((at) =>
          backoffDelay(at, settings, noChance),
        );
        return delayMs! <= nextMs!;
      }),
    );
  });

  test('stays within its bounds along any chain of decorrelated delays', () => {
    fc.assert(
      fc.property(growth, fc.array(chance, { maxLength: 50 }), (settings, draws) => {
        let previousMs: number | undefined;
        for (const [at, drawn] of draws.entries()) {
          const most = Math.min((previousMs ?? settings.initialDelayMs) * 3, settings.maxDelayMs);
          previousMs = backoffDelay(
            at + 1,
            { ...settings, jitter: 'decorrelated' },
            () => drawn,
            previousMs,
          );
          if (previousMs < settings.initialDelayMs || previousMs > most) return false;
        }
        return true;
      }),
    );
  });
});

test('needs no settings but those that differ from the defaults', () => {
  expect(backoffDelay(1, { jitter: 'none' })).toBe(500);
  expect(backoffDelay(3, { jitter: 'none', initialDelayMs: 100 })).toBe(400);
  expect(backoffDelay(1)).toBeLessThanOrEqual(500);
});
