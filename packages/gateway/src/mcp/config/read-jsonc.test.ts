import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readJsonc } from './read-jsonc.ts';

function valueOf(text: string): unknown {
  const read = readJsonc(text);
  if (!read.ok) throw new Error(read.problems[0]?.message);
  return read.value;
}

function problemOf(text: string): string {
  const read = readJsonc(text);
  if (read.ok) return 'none';
  const { line, column, message } = read.problems[0] ?? { line: 0, column: 0, message: '' };
  return `${line}:${column}: ${message}`;
}

describe('JSON with comments', () => {
  test('any JSON means what JSON.parse says', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 5 }), fc.constantFrom(undefined, 1, '\t'), (json, space) => {
        const value: unknown = JSON.parse(json);
        expect(valueOf(JSON.stringify(value, undefined, space))).toEqual(value);
      }),
    );
  });

  test('comments and commas behind the last item are passed over', () => {
    const text = `\uFEFF// which servers
{
  /* one */ "a": [1, 2, ], // "b": 3
  "url": "http://x//y", "c": "/* no comment */",
}
`;
    expect(valueOf(text)).toEqual({ a: [1, 2], url: 'http://x//y', c: '/* no comment */' });
  });

  test('a key named __proto__ is data', () => {
    const value = valueOf('{"__proto__": {"x": 1}}') as object;
    expect(Object.keys(value)).toEqual(['__proto__']);
    expect('x' in value).toBe(false);
  });

  test.each([
    ['', '1:1: not JSON: expected a value, got the end of the file'],
    ['{"a": }', '1:7: not JSON: expected a value, got }'],
    ['{"a": npx}', '1:7: not JSON: expected a value, got n'],
    ['{\n  a: 1}', '2:3: not JSON: expected a key in double quotes, or }, got a'],
    ['{"a": 1 "b": 2}', '1:9: not JSON: expected , or }, got a text'],
    ['{"a": 01}', '1:7: not JSON: expected a value, got 0'],
    ['{"a": "b\n"}', '1:7: this text has no closing quote'],
    [
      '{"a": "\\q"}',
      '1:7: not JSON: expected text without raw control characters or odd \\, got a text',
    ],
    ['{,}', '1:2: not JSON: expected a key in double quotes, or }, got ,'],
    ['{} {}', '1:4: not JSON: expected the end of the file, got {'],
    ['{ /* }', '1:3: this comment has no end'],
    ['{"a": 1,\n "a": 2}', '2:2: expected each key once, got "a" twice'],
    ['['.repeat(70), '1:66: nested deeper than 64'],
  ])('%j is refused with the place', (text, expected) => {
    expect(problemOf(text)).toBe(expected);
  });

  test('tells where values and keys stand, and what a missing one is missing from', () => {
    const read = readJsonc('{\n  "a": {\n    "b": [1, 2]\n  }\n}');
    if (!read.ok) throw new Error('expected it to be read');
    expect(read.placeOf(['a', 'b', 1], false)).toEqual({ line: 3, column: 14 });
    expect(read.placeOf(['a', 'b'], true)).toEqual({ line: 3, column: 5 });
    expect(read.placeOf(['a', 'c'], false)).toEqual({ line: 2, column: 8 });
    expect(read.placeOf(['x', 'y'], true)).toEqual({ line: 1, column: 1 });
  });
});
