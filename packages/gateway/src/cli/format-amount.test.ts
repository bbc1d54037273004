import { describe, expect, test } from 'vitest';
import { counted, formatCount, formatDuration, formatMoment, formatTime } from './format-amount.ts';
import { readDuration } from './read-duration.ts';

describe('amounts', () => {
  test.each([
    [0, '0 ms'],
    [812.4, '812 ms'],
    [999.6, '1.0 s'],
    [2_140, '2.1 s'],
    [9_949, '9.9 s'],
    [9_950, '10 s'],
    [42_400, '42 s'],
    [119_000, '119 s'],
    [180_000, '3 min'],
    [7_200_000, '2 h'],
    [259_200_000, '3 days'],
    [Number.NaN, '–'],
    [Infinity, '–'],
  ])('tell %f ms as %s', (ms, text) => {
    expect(formatDuration(ms)).toBe(text);
  });

  test('tell counts and times', () => {
    expect(formatCount(1_234_567)).toBe('1,234,567');
    expect([counted(1, 'retry', 'retries'), counted(0, 'loop')]).toEqual(['1 retry', '0 loops']);
    expect(formatTime(new Date(2026, 0, 2, 3, 4, 5).getTime())).toBe('03:04:05');
    expect(formatTime(Number.NaN)).toBe('--:--:--');
    expect(formatMoment(new Date(2026, 0, 2, 3, 4, 5).getTime())).toBe('2026-01-02 03:04:05');
    expect(formatMoment(Number.NaN)).toBe('');
  });

  test.each([
    ['90s', 90],
    ['10m', 600],
    ['1.5h', 5400],
    ['1d', 86_400],
  ])('are read from %s', (written, seconds) => {
    expect(readDuration('for', written)).toBe(seconds);
  });

  test.each(['', '10', 'm', '0s', '-1m', '1e3s', '10 m', '1w'])(
    'are not read from %j',
    (written) => {
      expect(() => readDuration('for', written)).toThrow(
        `--for: expected a duration such as 90s, 10m, 2h or 1d, got "${written}"`,
      );
    },
  );
});
