import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RetryBudget } from './retry-budget.ts';

/** How many of `tries` retries at one moment are granted. */
function granted(
  budget: RetryBudget,
  tries: number,
  now: number,
  of: 'server' | 'timeout',
): number {
  let count = 0;
  for (let at = 0; at < tries; at++) if (budget.take(of, now)) count++;
  return count;
}

describe('RetryBudget', () => {
  test.each([
    ['server', 100],
    ['timeout', 50],
  ] as const)('affords retries after failures of class %s from full: %d', (of, expected) => {
    expect(granted(new RetryBudget({ minPerSecond: 0 }), 1000, 0, of)).toBe(expected);
  });

  test('affords one more retry for every five successes', () => {
    const budget = new RetryBudget({ minPerSecond: 0 });
    granted(budget, 1000, 0, 'server');
    for (let at = 0; at < 4; at++) budget.succeeded();
    expect(budget.take('server', 0)).toBe(false);
    budget.succeeded();
    expect(budget.take('server', 0)).toBe(true);
    expect(budget.take('server', 0)).toBe(false);
  });

  test('is never fuller than its capacity', () => {
    const budget = new RetryBudget({ capacity: 10 });
    for (let at = 0; at < 100; at++) budget.succeeded();
    expect(budget.tokens).toBe(10);
  });

  test('affords three a second when it is empty', () => {
    const budget = new RetryBudget({ capacity: 0 });
    expect(granted(budget, 10, 0, 'server')).toBe(3);
    expect(granted(budget, 10, 999, 'server')).toBe(0);
    expect(granted(budget, 10, 1000, 'server')).toBe(3);
    expect(granted(budget, 10, 60_000, 'timeout')).toBe(3);
  });

  test('counts paid retries among those of the second', () => {
    const budget = new RetryBudget({ capacity: 15, cost: 5 });
    expect(granted(budget, 10, 0, 'server')).toBe(3);
  });

  test('refuses without taking anything', () => {
    const budget = new RetryBudget({ capacity: 7, timeoutCost: 10, minPerSecond: 0 });
    expect(budget.take('timeout', 0)).toBe(false);
    expect(budget.tokens).toBe(7);
  });

  test('grants no more than was paid for and what each second allows', () => {
    const steps = fc.array(
      fc.oneof(
        fc.record({ waitMs: fc.integer({ min: 0, max: 3000 }) }),
        fc.constant('success' as const),
        fc.constantFrom('server' as const, 'timeout' as const),
      ),
      { maxLength: 300 },
    );
    fc.assert(
      fc.property(steps, (list) => {
        const budget = new RetryBudget({ capacity: 40 });
        let now = 0;
        let paid = 0;
        let successes = 0;
        let grants = 0;
        for (const step of list) {
          const before = budget.tokens;
          if (step === 'success') {
            budget.succeeded();
            successes++;
          } else if (typeof step === 'object') now += step.waitMs;
          else if (budget.take(step, now)) {
            grants++;
            if (budget.tokens < before) paid++;
          }
          expect(budget.tokens).toBeGreaterThanOrEqual(0);
          expect(budget.tokens).toBeLessThanOrEqual(40);
        }
        expect(paid * 5).toBeLessThanOrEqual(40 + successes);
        expect(grants - paid).toBeLessThanOrEqual(3 * (Math.floor(now / 1000) + 1));
      }),
    );
  });

  test('goes by what others who share it have left', () => {
    const budget = new RetryBudget({ capacity: 100 });
    granted(budget, 4, 0, 'server');
    expect([budget.taken, budget.tokens]).toEqual([20, 80]);
    budget.share(50, -10);
    expect(budget.tokens).toBe(40);
    budget.share(50, -60);
    expect(budget.tokens).toBe(0);
    budget.share(99, 5);

    expect(budget.tokens).toBe(100);
    // Retries that were allowed without paying take nothing.
    budget.share(0, 0);
    granted(budget, 3, 5000, 'server');
    expect(budget.taken).toBe(20);
  });

  test.each([
    [{ capacity: -1 }, 'budget.capacity: expected a whole number of at least 0, got -1'],
    [{ cost: Number.NaN }, 'budget.cost: expected a whole number of at least 0, got NaN'],
    [{ minPerSecond: 0.5 }, 'budget.minPerSecond: expected a whole number of at least 0, got 0.5'],
    [{ size: 3 }, 'budget.size: expected an option that exists'],
  ])('refuses %j', (options, message) => {
    expect(() => new RetryBudget(options as object)).toThrow(message);
  });

  test('takes an option that is undefined for one that was left out', () => {
    const options = { capacity: undefined } as object;
    expect(new RetryBudget(options).tokens).toBe(500);
  });
});
