import { describe, expect, test } from 'vitest';
import { expandVariables } from './expand-variables.ts';

const ENV = { KEY: 'k-1', EMPTY: '', TRICK: '${KEY}', LIST: '[1, 2]' };

describe('variables in a configuration', () => {
  test.each([
    ['plain', 'plain'],
    ['${KEY}', 'k-1'],
    ['a ${KEY} b ${KEY}', 'a k-1 b k-1'],
    ['${NONE:-}', ''],
    ['${NONE:-http://x/v1}', 'http://x/v1'],
    ['${EMPTY:-other}', 'other'],
    ['${EMPTY}', ''],
    ['${KEY:-other}', 'k-1'],
    // What is filled in is data, whatever it looks like.
    ['${TRICK}', '${KEY}'],
    ['${LIST}', '[1, 2]'],
    ['$${KEY}', '${KEY}'],
    ['$${KEY} ${KEY}', '${KEY} k-1'],
    ['$KEY and $ {KEY}', '$KEY and $ {KEY}'],
  ])('%s is %s', (text, expected) => {
    expect(expandVariables(text, ENV)).toMatchObject({ ok: true, text: expected });
  });

  test('a variable that is not set is named, with a way out', () => {
    expect(expandVariables('${NONE}', ENV)).toEqual({
      ok: false,
      problem: 'the environment variable NONE is not set; set it, or write ${NONE:-} for nothing',
    });
  });

  test.each(['${', '${KEY', '${}', '${a b}', '${KEY:+x}', '${1}'])('%s is refused', (text) => {
    expect(expandVariables(text, ENV)).toMatchObject({
      ok: false,
      problem: expect.stringContaining(`got ${text}`) as string,
    });
  });

  test('what an object inherits is no variable', () => {
    expect(expandVariables('${toString}', {})).toMatchObject({ ok: false });
  });
});
