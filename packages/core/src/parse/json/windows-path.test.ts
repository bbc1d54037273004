import { describe, expect, test } from 'vitest';
import { closesPath, mayStartPath } from './windows-path.ts';

const BACKSLASH = '\\'.charCodeAt(0);
const LETTER = 'n'.charCodeAt(0);

describe('a path of Windows', () => {
  test.each([
    ['C:', LETTER, true],
    ['z:', LETTER, true],
    ['', BACKSLASH, true],
    ['', LETTER, false],
    ['C', LETTER, false],
    ['1:', LETTER, false],
    ['C;', LETTER, false],
    ['C:', BACKSLASH, false],
    ['aC:', LETTER, false],
    ['C:x', LETTER, false],
  ])('may begin after %j and a backslash: %d, %s', (before, after, may) => {
    expect(mayStartPath(before, after)).toBe(may);
  });

  const spaces = (count: number): string => ' '.repeat(count);

  test.each([
    [', "mode": "r"', true],
    [' , "mode" : 1', true],
    [', "mode"=1', true],
    [`${spaces(32)}, "a": 1`, true],
    [`${spaces(33)}, "a": 1`, false],
    [`,${spaces(63)}"a": 1`, true],
    [`,${spaces(64)}"a": 1`, false],
    [`, "${'k'.repeat(79)}": 1`, true],
    [`, "${'k'.repeat(80)}": 1`, false],
    [`, "a"${spaces(31)}: 1`, true],
    [`, "a"${spaces(32)}: 1`, false],
    [', "mode" "r"', false],
    [', "a b": 1', false],
    [', "": 1', false],
    [", 'a': 1", false],
    [', ab": 1', false],
    [', "a-: 1', false],
    ['; "a": 1', false],
    ['x', false],
  ])('ends with its string before %j: %s', (rest, does) => {
    expect(closesPath(`C:\\dir\\"${rest}`, 8, false)).toBe(does);
    expect(closesPath(`C:\\dir\\"${rest}`, 8, true)).toBe(does);
  });

  test.each(['', ' ', ',', ', ', ', "', ', "mo', ', "mode"', ', "mode" '])(
    'may still end with its string while only %j has come',
    (rest) => {
      expect(closesPath(rest, 0, false)).toBeUndefined();
      expect(closesPath(rest, 0, true)).toBe(false);
    },
  );
});
