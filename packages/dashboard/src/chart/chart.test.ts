import { describe, expect, test } from 'vitest';
import { areaPath, linePath } from './line-path.ts';
import { countTicks, niceTicks, timeTicks } from './ticks.ts';

const MINUTE_MS = 60_000;
const x = (at: number): number => at * 10;
const y = (value: number): number => 100 - value;

describe('an axis', () => {
  test.each([
    [0, [0, 1]],
    [7, [0, 2, 4, 6, 8]],
    [0.9, [0, 0.25, 0.5, 0.75, 1]],
    [4200, [0, 2000, 4000, 6000]],
  ])('up to %d has round numbers', (max, ticks) => {
    expect(niceTicks(max, 4)).toEqual(ticks);
  });

  test('of counts has no halves', () => {
    expect(countTicks(1, 4)).toEqual([0, 1, 2, 3, 4]);
    expect(countTicks(10, 4)).toEqual([0, 5, 10]);
  });

  test('of time has full minutes, as many as there is room for', () => {
    const from = 3 * MINUTE_MS + 10_000;

    expect(timeTicks(from, from + 15 * MINUTE_MS, 4).map((at) => at / MINUTE_MS)).toEqual([
      5, 10, 15,
    ]);
    expect(timeTicks(from, from + 60 * MINUTE_MS, 4).map((at) => at / MINUTE_MS)).toEqual([
      15, 30, 45, 60,
    ]);
  });
});

describe('a line', () => {
  test('leaves a gap where there is no value, and a lone value is a dot', () => {
    expect(linePath([1, 2, null, 3, null], x, y)).toBe('M0 99L10 98M30 97h0');
  });

  test('has an area below each of its pieces', () => {
    expect(areaPath([1, 2, null, 3], x, y, 100)).toBe(
      'M0 100L0 99L10 98L10 100ZM30 100L30 97L30 100Z',
    );
  });
});
