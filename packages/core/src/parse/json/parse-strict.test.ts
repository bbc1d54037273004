import { describe, expect, test } from 'vitest';
import { parseStrict } from './parse-strict.ts';

describe('parseStrict', () => {
  test.each([
    '{}',
    ' [1] ',
    '"a"',
    '\n-1',
    '0',
    '9',
    '2.5',
    'true',
    'false',
    'null',
    '{"a": [{}]}',
  ])('reads %j as JSON.parse does', (text) => {
    expect(parseStrict(text, 10)).toEqual({ value: JSON.parse(text) as unknown });
  });

  test.each([
    '',
    ' ',
    '{',
    '[1',
    '"a',
    '{"a": 1]',
    '[1}',
    '"a"]',
    '{} x',
    'abc',
    "'a'",
    '+1',
    'tru',
  ])('refuses %j', (text) => {
    expect(parseStrict(text, 10)).toBe('invalid');
  });

  test.each([
    [0, '7', true],
    [0, '[]', false],
    [1, '[]', true],
    [1, '{"a": 1, "b": null}', true],
    [1, '[[]]', false],
    [1, '{"a": {}}', false],
    [2, '[{"a": 1}, [2]]', true],
    [2, '[1, {"a": 1, "b": []}]', false],
    [2, '[[], [], [], []]', true],
    [2, '[[null], [null], [null]]', true],
    [2, '{"a": [null], "b": [1], "c": ["x"]}', true],
    [3, '{"a": {"b": 1}, "c": {"d": null}, "e": {}, "f": "x"}', true],
    [2, '{"a": {"b": {"c": 1}}}', false],
    [2, '["[[[[[[[[", "{{{{{{"]', true],
  ])('takes at most %d levels: %s, %s', (maxDepth, text, isTaken) => {
    const expected = isTaken ? { value: JSON.parse(text) as unknown } : 'too-deep';
    expect(parseStrict(text, maxDepth)).toEqual(expected);
  });

  test('leaves `__proto__` a key like any other', () => {
    const result = parseStrict('{"__proto__": {"a": 1}}', 10);
    expect(JSON.stringify(result)).toBe('{"value":{"__proto__":{"a":1}}}');
    expect(parseStrict('{"__proto__": {"a": 1}}', 1)).toBe('too-deep');
  });
});
