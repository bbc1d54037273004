import { expect, test } from 'vitest';
import { backoffMs } from './backoff.ts';

test('waits twice as long after each failure, up to a limit', () => {
  const waits = [1, 2, 3, 4, 5, 6, 50].map((failures) => backoffMs(failures, () => 0));

  expect(waits).toEqual([500, 1000, 2000, 4000, 8000, 8000, 8000]);
});

test('leaves up to a fifth to chance', () => {
  expect(backoffMs(3, () => 1)).toBe(1600);
});
