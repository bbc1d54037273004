import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CallWindow } from './call-window.ts';

interface Call {
  readonly at: number;
  readonly isFailure: boolean;
  readonly isSlow: boolean;
}

const call = fc.record({
  waitMs: fc.oneof(fc.nat(20), fc.nat(2000)),
  isFailure: fc.boolean(),
  isSlow: fc.boolean(),
});

/** Windows whose slices are whole milliseconds, so that rounding decides nothing. */
const windowMs = fc.integer({ min: 1, max: 50 }).map((sliceMs) => sliceMs * 20);

const counts = ({ calls, failures, slow }: CallWindow): number[] => [calls, failures, slow];

describe('CallWindow', () => {
  test('counts calls, failures and slow calls', () => {
    const window = new CallWindow(1000, 0);
    window.add(false, false, 0);
    window.add(true, false, 0);
    window.add(true, true, 10);
    expect(counts(window)).toEqual([3, 2, 1]);
  });

  test('keeps a call as long as the window, and not longer', () => {
    const window = new CallWindow(1000, 530);
    window.add(true, true, 530);
    window.moveTo(1529);
    expect(counts(window)).toEqual([1, 1, 1]);
    window.moveTo(1530);
    expect(counts(window)).toEqual([0, 0, 0]);
  });

  test('keeps what came later when what came first is gone', () => {
    const window = new CallWindow(1000, 0);
    window.add(true, false, 0);
    window.add(false, false, 500);
    window.moveTo(1000);
    expect(counts(window)).toEqual([1, 0, 0]);
  });

  test('is empty after any time that is longer than it', () => {
    for (const idleMs of [1000, 1050, 19_999, 3_600_000]) {
      const window = new CallWindow(1000, 0);
      for (let at = 0; at < 1000; at += 25) window.add(true, false, at);
      window.moveTo(975 + idleMs);
      expect(counts(window)).toEqual([0, 0, 0]);
    }
  });

  test('takes a time before the last one for the last one', () => {
    const window = new CallWindow(1000, 0);
    window.add(false, false, 900);
    window.add(true, false, 100);
    window.moveTo(1100);
    expect(counts(window)).toEqual([2, 1, 0]);
  });

  test('differs from the exact window by less than one slice of twenty', () => {
    fc.assert(
      fc.property(windowMs, fc.array(call, { maxLength: 80 }), (length, calls) => {
        const window = new CallWindow(length, 1000);
        const made: Call[] = [];
        let now = 1000;
        for (const { waitMs, isFailure, isSlow } of calls) {
          // The first call is what the window begins with.
          if (made.length > 0) now += waitMs;
          window.add(isFailure, isSlow, now);
          made.push({ at: now, isFailure, isSlow });
          const younger = (ageMs: number): number[] => {
            const kept = made.filter(({ at }) => now - at < ageMs);
            const failures = kept.filter((one) => one.isFailure).length;
            return [kept.length, failures, kept.filter((one) => one.isSlow).length];
          };
          const least = younger(length - length / 20);
          const most = younger(length);
          for (const [at, count] of counts(window).entries()) {
            expect(count).toBeGreaterThanOrEqual(least[at]!);
            expect(count).toBeLessThanOrEqual(most[at]!);
          }
        }
      }),
    );
  });
});
