import { describe, expect, test } from 'vitest';
import { formatDuration, formatSeconds } from './duration.ts';
import { counted, formatCount, formatShare } from './number.ts';
import { formatAge } from './time.ts';
import { reasonInWords } from './words.ts';

describe('a duration', () => {
  test.each([
    [0, '0 ms'],
    [0.4, '<1 ms'],
    [3.26, '3.3 ms'],
    [42.4, '42 ms'],
    [999.4, '999 ms'],
    [999.6, '1 s'],
    [1240, '1.2 s'],
    [9949, '9.9 s'],
    [9951, '10 s'],
    [61_000, '1 min 1 s'],
    [3_600_000, '1 h'],
  ])('of %d ms is %s', (ms, text) => {
    expect(formatDuration(ms)).toBe(text);
  });

  test.each([
    [59, '59 s'],
    [3599, '59 min 59 s'],
    [7260, '2 h 1 min'],
    [90_000, '1 d 1 h'],
  ])('of %d s is %s', (seconds, text) => {
    expect(formatSeconds(seconds)).toBe(text);
  });
});

describe('a number', () => {
  test.each([
    [0, '0'],
    [9999, '9,999'],
    [12_345, '12.3k'],
    [100_000, '100k'],
    [999_499, '999k'],
    [999_600, '1M'],
  ])('%d is %s', (count, text) => {
    expect(formatCount(count)).toBe(text);
  });

  test.each([
    [0, '0 %'],
    [0.0001, '<0.1 %'],
    [0.004, '0.4 %'],
    [0.123, '12 %'],
    [0.9995, '>99.9 %'],
    [0.992, '99.2 %'],
    [1, '100 %'],
  ])('%d as a share is %s, and all or nothing only where it is', (share, text) => {
    expect(formatShare(share)).toBe(text);
  });

  test('has one or many', () => {
    expect([counted(1, 'call'), counted(2, 'retry', 'retries')]).toEqual(['1 call', '2 retries']);
  });
});

test.each([
  [2_000, 'now'],
  [59_000, '59 s ago'],
  [3_599_000, '59 min ago'],
  [7_300_000, '2 h ago'],
])('%d ms ago is %s', (ms, text) => {
  expect(formatAge(1_000_000_000 - ms, 1_000_000_000)).toBe(text);
});

test('a reason that is not known is told as it came', () => {
  expect(reasonInWords('probe_failed')).toBe('a probe failed');
  expect(reasonInWords('moon_phase')).toBe('moon phase');
});
