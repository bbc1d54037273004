import { describe, expect, test } from 'vitest';
import type { JsonValue, Repair } from '../../types.ts';
import { JsonReader } from './json-reader.ts';
import { expectReading } from './read-at-every-cut.case.ts';

type Case = [text: string, value: JsonValue, repairs: Repair[]];

describe('punctuation that another stands for', () => {
  test.each<Case>([
    ['{"a" = 1}', { a: 1 }, ['wrong-separator']],
    ['{"a"=1}', { a: 1 }, ['wrong-separator']],
    ['{"a"=>1}', { a: 1 }, ['wrong-separator']],
    ['{"a" := 1}', { a: 1 }, ['wrong-separator']],
    ['{"a"： 1， "b": 2; "c": 3}', { a: 1, b: 2, c: 3 }, ['wrong-separator']],
    ['{"a": {"b": 1}; "c": 2}', { a: { b: 1 }, c: 2 }, ['wrong-separator']],
    [
      '{a [1], "b" {"c": 2}, d "e"}',
      { a: [1], b: { c: 2 }, d: 'e' },
      ['unquoted-key', 'missing-colon'],
    ],
    ['{"a": 1,，"b": 2}', { a: 1, b: 2 }, ['trailing-comma']],
    ['{"a": 1,;"b": 2}', { a: 1, b: 2 }, ['trailing-comma']],
    ['{"a": 1， }', { a: 1 }, ['wrong-separator', 'trailing-comma']],
    ['[1，，2]', [1, 2], ['wrong-separator', 'trailing-comma']],
    ['{"a": {"b": 1} `c`: 2}', { a: { b: 1 }, c: 2 }, ['missing-comma', 'odd-quotes']],
    ['[1\n2]', [1, 2], ['missing-comma']],
    ['{"a": [x, y z]}', { a: ['x', 'y z'] }, ['unquoted-value']],
    ['{-a: 1, @b: 2, .c: 3}', { '-a': 1, '@b': 2, '.c': 3 }, ['unquoted-key']],
    ['{"a": (1, (2, 3))}', { a: [1, [2, 3]] }, ['tuple']],
  ])('%j means what it should have been', (text, value, repairs) => {
    expectReading(text, { value, repairs, lossy: false, isOver: true });
  });

  test.each<Case>([
    ['{"a":， "b": 1}', { b: 1 }, ['missing-value']],
    ['[[1] ...]', [[1]], ['ellipsis']],
    ['{"a": """x""" + [5]}', { a: [5] }, ['triple-quotes', 'joined-strings']],
    ['{"a": """x""" + 5}', { a: 5 }, ['triple-quotes', 'joined-strings']],
    ['{"a": {"x": 1}, {}}', { a: { x: 1 } }, ['split-object']],
    ['{"a": {"x": 1}, {{"y": 2}}}', { a: { x: 1, y: 2 } }, ['split-object']],
    ['{"a": {"x": 1} {"y": 2}}', { a: { x: 1, y: 2 } }, ['missing-comma', 'split-object']],
  ])('%j leaves something out', (text, value, repairs) => {
    expectReading(text, { value, repairs, lossy: true, isOver: true });
  });

  test.each<Case>([
    ['[{"a": 1, ]', [{ a: 1 }], ['trailing-comma', 'missing-brace']],
    ['[{]', [{}], ['missing-brace']],
    ['[[1, {"a": 2]]', [[1, { a: 2 }]], ['missing-brace']],
    ['{{"a": {"b": 1}}}', { a: { b: 1 } }, ['doubled-braces']],
    ['{{{{{{{{"a": 1}}}}}}}}', { a: 1 }, ['doubled-braces']],
  ])('%j is closed by the brackets there are', (text, value, repairs) => {
    expectReading(text, { value, repairs, lossy: false, complete: true, isOver: true });
  });

  test.each([
    ['...,', 'text follows the value', 3],
    ['(1, 2)', '"(1" is not a JSON value', 2],
    ['{a b: 1}', 'no colon follows "a"', 3],
    ['{"a": [1] + "x"}', '"+" stands where a key should', 10],
    ['{"a": 1, {"b": 2}}', 'an object stands where a key should', 9],
    ['{"a":, {"b": 1}}', 'an object stands where a key should', 7],
    ['{{{{{{{{{"a": 1}}}}}}}}}', 'it is nested more than 8 deep', 8],
    ['{"a": {{{{{{{{"b": 1}}}}}}}}}', 'it is nested more than 8 deep', 13],
    ['{\\"a\\" \\"b\\"}', 'a backslash outside a string', 7],
    ['{\\"a\\": \\"b\\" \\"c\\": 1}', 'a backslash outside a string', 14],
  ])('%j is none: %s', (text, failure, failedAt) => {
    expectReading(text, { failure, failedAt, isOver: true });
  });
});

describe('a value that is all there is', () => {
  test.each<[string, JsonValue]>([
    ['7\n', 7],
    ['true\n', true],
    ['[7]', [7]],
  ])('%j is over as soon as it is', (text, value) => {
    expectReading(text, { value, repairs: [], isOver: true });
  });

  test.each<Case>([
    ['"a": 1}', { a: 1 }, ['missing-outer-braces', 'extra-brace']],
    ['"a": 1]', { a: 1 }, ['missing-outer-braces', 'extra-brace']],
    ['"a" = 1', { a: 1 }, ['missing-outer-braces']],
  ])('%j is a member without its braces', (text, value, repairs) => {
    expectReading(text, { value, repairs, lossy: false });
  });
});

describe('a fence where a bracket should be', () => {
  test.each<[string, JsonValue, number]>([
    ['{"a": 1\n```', { a: 1 }, 8],
    ['{"a": "x"\n```\n', { a: 'x' }, 10],
    ['{"a": [1]\n``` x', { a: [1] }, 10],
    ['[{"a": 1}\n```', [{ a: 1 }], 10],
  ])('closes what is open in %j', (text, value, endOffset) => {
    expectReading(text, { value, repairs: ['missing-brace'], endOffset, isOver: true });
  });
});

describe('an end marker', () => {
  test('is no value of a key', () => {
    const failure = 'the key "a" has no value';
    expectReading('{a </call>', { failure, failedAt: 3 }, '</call>');
  });

  test('may begin like a string', () => {
    const repairs: Repair[] = ['missing-brace'];
    expectReading('{"a": 1,">', { value: { a: 1 }, repairs, endOffset: 8 }, '">');
    expectReading('{"a": "x", "b": [">', { value: { a: 'x', b: [] }, repairs }, '">');
  });

  test('is none in an arrow between a key and its value', () => {
    expectReading('{"a" => 1}', { value: { a: 1 }, repairs: ['wrong-separator'] }, '>');
  });

  test('is where all that is open ends', () => {
    const reader = new JsonReader({ maxDepth: 8, endMarker: '</call>' });
    const ends: number[] = [];
    reader.watch({ memberObject: () => undefined, memberObjectEnd: (end) => ends.push(end) });
    reader.read('{"a": {"b": 1</call>');
    expect(ends).toEqual([13, 13]);
  });
});
