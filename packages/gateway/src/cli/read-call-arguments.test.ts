import type { JsonObject } from '@holdfast/core';
import { describe, expect, test } from 'vitest';
import { Misuse } from './misuse.ts';
import { readCallArguments } from './read-call-arguments.ts';

const SCHEMA: JsonObject = {
  type: 'object',
  properties: {
    path: { type: 'string' },
    lines: { type: 'integer' },
    deep: { type: 'boolean' },
    tags: { type: 'array', items: { type: 'string' } },
    filter: { $ref: '#/$defs/filter' },
  },
  $defs: { filter: { type: 'object', properties: { size: { type: 'number' } } } },
};

describe('arguments of a tool on the command line', () => {
  test.each([
    [['path=/tmp'], { path: '/tmp' }],
    // By the schema, a path of digits is text, and a count is a number.
    [['path=42', 'lines=42'], { path: '42', lines: 42 }],
    [['deep=true'], { deep: true }],
    [['path=a=b'], { path: 'a=b' }],
    [['path='], { path: '' }],
    [['filter={"size": 3}'], { filter: { size: 3 } }],
    [['tags=["a","b"]'], { tags: ['a', 'b'] }],
    [['lines:=7', 'path:="x"', 'tags:=["a"]'], { lines: 7, path: 'x', tags: ['a'] }],
    // Nothing says what these are.
    [['other=5', 'more=text'], { other: 5, more: 'text' }],
    [[], {}],
  ])('%j is %j', (words, expected) => {
    expect(readCallArguments(words, SCHEMA)).toEqual(expected);
  });

  test('a list can be given item by item', () => {
    expect(readCallArguments(['tags=a', 'tags=b'], SCHEMA)).toEqual({ tags: ['a', 'b'] });
  });

  test('pairs win over the object', () => {
    const json = '{"path": "/a", "lines": 1}';
    expect(readCallArguments(['path=/b'], SCHEMA, json)).toEqual({ path: '/b', lines: 1 });
  });

  test('a key named __proto__ is data', () => {
    expect(Object.keys(readCallArguments(['__proto__=x'], SCHEMA))).toEqual(['__proto__']);
  });

  test.each([
    [['/tmp'], undefined, 'expected key=value or key:=json, got "/tmp"'],
    [['=x'], undefined, 'expected key=value or key:=json, got "=x"'],
    [['path=a', 'path=b'], undefined, 'path: expected one value, got 2; only a list takes several'],
    [['lines:=x'], undefined, 'lines:=: expected JSON, got x'],
    [[], '[1]', '--json: expected an object, got [1]'],
  ])('%j and %s are refused', (words, json, message) => {
    const read = (): JsonObject => readCallArguments(words, SCHEMA, json);
    expect(read).toThrow(Misuse);
    expect(read).toThrow(message);
  });
});
