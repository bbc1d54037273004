import { describe, expect, test } from 'vitest';
import { cutOwnAdvice } from './own-advice.ts';

describe('advice in a result that came back', () => {
  test.each([
    ['is cut off', 'no such file\n\n⚠️ Tool guidance: use find', 'no such file'],
    ['is cut off with all its parts', 'no\n\n⚠️ Tool guidance: one\ntwo\n\nthree', 'no'],
    ['leaves the rest byte for byte', '\tno \n\n\n⚠️ Tool guidance: one', '\tno \n'],
    ['may be all there is', '⚠️ Tool guidance: one', ''],
    ['may be in the next line', 'no\n⚠️ Tool guidance: one', 'no'],
    ['is not what a line speaks of', 'grep: ⚠️ Tool guidance: one', 'grep: ⚠️ Tool guidance: one'],
    [
      'is the last of several',
      '\n⚠️ Tool guidance: 1\n\n⚠️ Tool guidance: 2',
      '\n⚠️ Tool guidance: 1',
    ],
  ])('%s', (_, output, said) => {
    expect(cutOwnAdvice(output)).toBe(said);
  });
});
