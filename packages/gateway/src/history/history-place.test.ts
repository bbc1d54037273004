import { describe, expect, test } from 'vitest';
import { comparePlaces, formatPlace, readPlace } from './history-place.ts';

describe('the place of a record', () => {
  test('reads back as it was written', () => {
    const place = { at: 1_767_225_600_000, writer: '0123456789ab', number: 42 };
    expect(formatPlace(place)).toBe('1767225600000-0123456789ab-42');
    expect(readPlace(formatPlace(place))).toEqual(place);
  });

  test.each([
    '',
    '5',
    '1-0123456789ab',
    'x-0123456789ab-1',
    '1-0123456789ab-1-1',
    '-1-0123456789ab-1',
  ])('is not %j', (text) => {
    expect(readPlace(text)).toBeUndefined();
  });

  test('is by time, then by writer, then by number', () => {
    const place = (at: number, writer: string, number: number) => ({ at, writer, number });
    const ordered = [place(1, 'b', 9), place(2, 'a', 2), place(2, 'a', 10), place(2, 'b', 1)];
    expect([...ordered].reverse().sort(comparePlaces)).toEqual(ordered);
  });
});
