import { describe, expect, test } from 'vitest';
import { breakerWith, BROKEN } from './breaker-under-test.case.ts';
import type { CircuitOptions } from './circuit-options.ts';

const MINUTES = 10;
const CALL_EVERY_MS = 20;

/** What ten minutes with a server come to that is down for the first half of every period. */
function flap(periodMs: number, options: Partial<CircuitOptions> = {}) {
  const { breaker, clock } = breakerWith(options);
  let state = breaker.state;
  const seen = { openings: 0, changes: 0, wasted: 0, calls: 0 };
  for (let atMs = 0; atMs < MINUTES * 60_000; atMs += CALL_EVERY_MS) {
    seen.calls++;
    const isDown = atMs % periodMs < periodMs / 2;
    const admission = breaker.acquire();
    if (!('isRefused' in admission)) {
      breaker.settle(admission, isDown ? BROKEN : undefined);
      if (isDown) seen.wasted++;
    }
    if (breaker.state !== state) {
      seen.changes++;
      if (breaker.state === 'open') seen.openings++;
      state = breaker.state;
    }
    clock.skip(CALL_EVERY_MS);
  }
  return { ...seen, perMinute: seen.openings / MINUTES };
}

describe('a server that comes and goes', () => {
  test.each([1000, 10_000, 60_000])(
    'every %i ms opens its circuit at most once a minute, as long as nothing else is said',
    (periodMs) => {
      const { perMinute, wasted, calls } = flap(periodMs);
      expect(perMinute).toBeLessThanOrEqual(1);
      expect(wasted).toBeLessThan(calls / 100);
    },
  );

  test('opens it at most once in a period where the open time is as long as that', () => {
    const { openings } = flap(10_000, { openForMs: 10_000 });
    expect(openings).toBeLessThanOrEqual((MINUTES * 60_000) / 10_000);
  });

  test('opens it less and less often where the open time grows', () => {
    const steady = flap(10_000, { openForMs: 1000 });
    const grown = flap(10_000, { openForMs: 1000, openForGrowth: 2, maxOpenForMs: 60_000 });
    expect(grown.openings).toBeLessThan(steady.openings);
    expect(grown.wasted).toBeLessThan(steady.wasted);
  });
});
