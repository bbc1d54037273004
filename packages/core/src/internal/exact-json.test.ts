import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { keepDigits, parseExactJson, writeExactJson } from './exact-json.ts';

/** A double holds 9007199254740992 instead. */
const DIGITS = '9007199254740993';

describe('parseExactJson and writeExactJson', () => {
  test.each([
    `{"id":${DIGITS}}`,
    `[${DIGITS},[{"a":-${DIGITS}0}],"${DIGITS}",9007199254740992]`,
    '{"a":123456789012345678901234567890,"b":{"c":1e400}}',
    `{"a\\"b":{"0":${DIGITS}},"__proto__":{"n":${DIGITS}}}`,
  ])('write %s as it was', (text) => {
    expect(writeExactJson(parseExactJson(text))).toBe(text);
  });

  test('write what JSON.stringify does where every number is held', () => {
    const member = fc.jsonValue({ noUnicodeString: false });
    fc.assert(
      fc.property(member, fc.integer({ min: 0, max: 4 }), (value, indent) => {
        const text = JSON.stringify({ value }, undefined, indent);
        expect(writeExactJson(parseExactJson(text))).toBe(JSON.stringify({ value }));
      }),
    );
  });

  test('keep digits in a copy of what surrounds them', () => {
    const value = parseExactJson(`{ "name": "f", "arguments": { "id": ${DIGITS} } }`) as object;
    const copy = { ...value, model: 'm', absent: undefined };
    expect(writeExactJson(copy)).toBe(`{"name":"f","arguments":{"id":${DIGITS}},"model":"m"}`);
  });

  test.each([
    [`{"n":${DIGITS},"n":9007199254740992}`, '{"n":9007199254740992}'],
    [`{"n":${DIGITS},"n":"x"}`, '{"n":"x"}'],
    [`{"a":{"n":${DIGITS}},"a":{"n":5}}`, '{"a":{"n":5}}'],
  ])('take the last of a key that is written twice: %s', (text, written) => {
    expect(writeExactJson(parseExactJson(text))).toBe(written);
  });

  test('write a number that was changed after it was read', () => {
    const value = parseExactJson(`{"n":${DIGITS}}`) as { n: number };
    value.n = 7e20;
    expect(writeExactJson(value)).toBe('{"n":700000000000000000000}');
  });

  test('throw for what is no JSON', () => {
    expect(() => parseExactJson('{')).toThrow(SyntaxError);
  });
});

test('keepDigits keeps nothing of a text that says something else', () => {
  const value = { n: 9007199254740992 };
  for (const text of ['', '{"n":1}', '[9007199254740993]', '{"n":{"n":9007199254740993']) {
    keepDigits(text, value);
    expect(writeExactJson(value)).toBe('{"n":9007199254740992}');
  }
});
