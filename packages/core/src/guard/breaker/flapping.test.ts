import { describe, expect, test } from 'vitest';
import { breakerWith, BROKEN } from './breaker-under-test.case.ts';
import type { CircuitOptions } from './circuit-options.ts';

const MINUTES = 10;
const CALL_EVERY_MS = 20;

interface Flapped {
  /** How often the circuit opened, failed probes among it. */
  readonly openings: number;
  /** Calls that were made while the server was down. */
  readonly wasted: number;
  readonly calls: number;
}

/** What ten minutes with a server come to that is down for the first half of every period. */
function flap(periodMs: number, options: CircuitOptions = {}): Flapped {
  const { breaker, clock, events } = breakerWith(options);
  const calls = (MINUTES * 60_000) / CALL_EVERY_MS;
  let wasted = 0;
  for (let call = 0; call < calls; call++) {
    const isDown = (call * CALL_EVERY_MS) % periodMs < periodMs / 2;
    const admission = breaker.acquire();
    if (!('isRefused' in admission)) {
      breaker.settle(admission, isDown ? BROKEN : undefined);
      if (isDown) wasted++;
    }
    clock.skip(CALL_EVERY_MS);
  }
  const openings = events.filter(({ type }) => type === 'circuit-opened').length;
  return { openings, wasted, calls };
}

describe('a server that comes and goes', () => {
  test.each([1000, 10_000, 60_000])(
    'every %i ms opens its circuit at most once a minute, and hardly a call is wasted',
    (periodMs) => {
      const { openings, wasted, calls } = flap(periodMs);
      expect(openings).toBeGreaterThan(0);
      expect(openings).toBeLessThanOrEqual(MINUTES);
      expect(wasted).toBeLessThan(calls / 100);
    },
  );

  test('opens it at most once in a period where it stays open for half of one', () => {
    const { openings } = flap(10_000, { openForMs: 5000 });
    expect(openings).toBeLessThanOrEqual((MINUTES * 60_000) / 10_000);
  });

  test('is probed less often while it is away where the open time grows', () => {
    const steady = flap(60_000, { openForMs: 1000 });
    const grown = flap(60_000, { openForMs: 1000, openForGrowth: 2, maxOpenForMs: 60_000 });
    expect(grown.openings).toBeLessThan(steady.openings / 4);
    expect(grown.wasted).toBeLessThan(steady.wasted);
  });
});
