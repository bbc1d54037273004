import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { minifyJson } from './minify-json.ts';

describe('JSON without its space', () => {
  test.each([
    ['{ "a" : [ 1 , 2 ] }\n', '{"a":[1,2]}'],
    ['" a \\" b " : 1', '" a \\" b ":1'],
    ['"a\\\\" : " b', '"a\\\\":" b'],
    ['  ', ''],
    ['', ''],
    [' 1', '1'],
  ])('%j is %j', (json, minified) => {
    expect(minifyJson(json)).toBe(minified);
  });

  test('is what JSON.stringify writes', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(minifyJson(JSON.stringify(value, undefined, 2))).toBe(JSON.stringify(value));
      }),
    );
  });
});
