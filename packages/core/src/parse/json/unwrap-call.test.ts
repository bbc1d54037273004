import { describe, expect, test } from 'vitest';
import { unwrapCall, unwrapString } from './unwrap-call.ts';

const DEPTH = 20;

/** The value, written into so many strings. */
function wrapped(value: unknown, times: number): string {
  let text = JSON.stringify(value);
  for (let time = 1; time < times; time++) text = JSON.stringify(text);
  return text;
}

const found = { repairs: ['double-encoded'], complete: true, lossy: false };
const untouched = { repairs: [], complete: true, lossy: false };

describe('a call in a string', () => {
  const call = { name: 'f', arguments: { a: 1 } };

  test('is taken out', () => {
    expect(unwrapCall(wrapped(call, 1), DEPTH)).toEqual({ value: call, ...found });
    expect(unwrapCall(` ${wrapped([call], 1)}`, DEPTH)).toEqual({ value: [call], ...found });
  });

  test('is taken out of strings in strings, so often and no more', () => {
    for (const times of [1, 2, 3]) {
      const json = JSON.stringify(call);
      expect(unwrapString(wrapped(call, times), DEPTH)).toEqual({ value: call, json, ...found });
    }
    expect(unwrapString(wrapped(call, 4), DEPTH)).toBeUndefined();
    const inLists = (times: number): string =>
      JSON.stringify([times === 1 ? call : inLists(times - 1)]);
    expect(unwrapCall(inLists(4), DEPTH)).toEqual({ value: [[[inLists(1)]]], ...found });
    const text = wrapped({ arguments: '{}' }, 1);
    expect(unwrapCall(text, DEPTH, 0)).toEqual({ value: text, ...untouched });
  });

  test('is mended like any other, and says what that took', () => {
    expect(unwrapString("{'a': 1, b: [...]}", DEPTH)).toMatchObject({
      value: { a: 1, b: [] },
      repairs: ['double-encoded', 'single-quotes', 'unquoted-key', 'ellipsis'],
      lossy: true,
    });
    expect(unwrapString('{"a": [1', DEPTH)).toMatchObject({ value: { a: [1] }, complete: false });
    expect(unwrapString(`'{"a": \\'x\\'}'`, DEPTH)).toEqual({
      value: { a: 'x' },
      repairs: ['double-encoded', 'single-quotes'],
      complete: true,
      lossy: false,
    });
  });

  test.each([
    'plain',
    '{x} and so on',
    '{"a": 1} and so on',
    'see {"a": 1}',
    '```json\n{"a": 1}\n```',
    '```{"a": 1}```',
    '"text"',
    '"null"',
    '\\nnull',
    '7',
    '',
    '[[[[',
  ])('is none in %j', (text) => {
    expect(unwrapString(text, 3)).toBeUndefined();
    expect(unwrapCall(text, 3)).toEqual({ value: text, ...untouched });
  });

  test('is none where it is nested too deep', () => {
    expect(unwrapString('{"a": {"b": {"c": {}}}}', 3)).toBeUndefined();
  });
});

describe('arguments in a string', () => {
  test('are taken out of their call, and the rest stays', () => {
    const value = { name: 'f', arguments: '{"a": "{}"}' };
    expect(unwrapCall(value, DEPTH)).toEqual({
      value: { name: 'f', arguments: { a: '{}' } },
      ...found,
    });
  });

  test('are taken out of each call of a list', () => {
    const value = [
      { name: 'f', arguments: "{'a': 1}" },
      { name: 'g', arguments: { b: 2 } },
      { name: 'h', arguments: '{"c": [3' },
    ];
    expect(unwrapCall(value, DEPTH)).toEqual({
      value: [
        { name: 'f', arguments: { a: 1 } },
        { name: 'g', arguments: { b: 2 } },
        { name: 'h', arguments: { c: [3] } },
      ],
      repairs: ['double-encoded', 'single-quotes', 'missing-brace'],
      complete: false,
      lossy: false,
    });
  });

  test('are lost in part where they are in one of the calls', () => {
    const value = [
      { name: 'f', arguments: '{"a": [...]}' },
      { name: 'g', arguments: '{}' },
    ];
    expect(unwrapCall(value, DEPTH)).toMatchObject({ complete: true, lossy: true });
  });

  test.each([
    [{ name: 'f', arguments: 'some text' }],
    [{ name: 'f', arguments: { a: '{}' } }],
    [{ name: 'f', text: '{}' }],
    [[{ name: 'f', arguments: {} }]],
    [null],
    [7],
  ])('are none in %j, which stays the very same', (value) => {
    const result = unwrapCall(value, DEPTH);
    expect(result).toEqual({ value, ...untouched });
    expect(result.value).toBe(value);
  });
});
