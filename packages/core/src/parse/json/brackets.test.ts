import { describe, expect, test } from 'vitest';
import { countClosers, isOnlyClosers, openBrackets, trailingClosers } from './brackets.ts';

describe('brackets', () => {
  test.each([
    ['', 0],
    ['{[', 2],
    ['{"a": [1, 2]}', 0],
    ['}]', -2],
    ['[{}', 1],
  ])('%s opens so many more than it closes: %d', (text, open) => {
    expect(openBrackets(text)).toBe(open);
  });

  test('that close are counted from where they are asked for', () => {
    expect([0, 2, 4, 5].map((from) => countClosers('}a]}x', from))).toEqual([3, 2, 0, 0]);
  });

  test.each([
    ['', 0],
    ['x', 0],
    ['  ', 0],
    ['x  ', 0],
    ['x}', 1],
    ['x] } ', 4],
    ['}x]', 1],
    ['}]', 2],
    [' }', 2],
  ])('at the end of %j take so many characters: %d', (text, length) => {
    expect(trailingClosers(text)).toBe(length);
  });

  test.each([
    ['a}]', 1, true],
    ['a} ] ', 1, true],
    ['a}', 0, false],
    ['a}x}', 1, false],
    ['a  ', 1, false],
    ['a', 1, false],
    ['}]', 1, true],
  ])('are all that follows in %j from %d on: %s', (text, from, isAll) => {
    expect(isOnlyClosers(text, from)).toBe(isAll);
  });
});
