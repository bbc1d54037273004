import { describe, expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../types.ts';
import type { CheckOptions } from './check-options.ts';
import { checkToolCall } from './check-tool-call.ts';
import { readFile, tools } from './read-file-tool.case.ts';

const check = (args: JsonObject, options?: CheckOptions) =>
  checkToolCall({ name: 'read_file', arguments: args }, tools, options);

/** What is wrong, as `code path: message`. */
const problems = (
  args: JsonObject,
  parameters: JsonObject = readFile.parameters ?? {},
): string[] => {
  const result = checkToolCall({ name: 't', arguments: args }, [{ name: 't', parameters }], {
    fix: false,
  });
  return result.ok ? [] : result.issues.map(({ code, message }) => `${code} ${message}`);
};

/** What is wrong with one value. */
const problemsOf = (value: JsonValue, schema: JsonValue): string[] =>
  problems({ v: value }, { type: 'object', properties: { v: schema } });

describe('a call that fits', () => {
  test('comes back as it is', () => {
    const call = { name: 'read_file', arguments: { file_path: 'a.txt', tags: ['x'] } };
    const result = checkToolCall(call, tools);
    expect(result).toEqual({ ok: true, call, repairs: [], warnings: [] });
    expect(result.ok && result.call).toBe(call);
  });

  test('may be of a tool without a schema', () => {
    expect(checkToolCall({ name: 'write_file', arguments: { any: 1 } }, tools).ok).toBe(true);
  });
});

describe('an unknown tool', () => {
  test('is told with the nearest name', () => {
    const result = checkToolCall({ name: 'reed_file', arguments: {} }, tools);
    expect(result).toMatchObject({
      ok: false,
      message: 'there is no tool named "reed_file"; did you mean read_file?',
      issues: [
        {
          code: 'unknown-tool',
          path: [],
          expected: 'one of read_file, write_file',
          received: '"reed_file"',
          suggestion: 'read_file',
        },
      ],
    });
  });

  test('is told with the list when none is near', () => {
    const result = checkToolCall({ name: 'launch', arguments: {} }, tools);
    expect(result.ok ? '' : result.message).toContain('known tools: read_file, write_file');
    expect(checkToolCall({ name: 'launch', arguments: {} }, []).ok).toBe(false);
  });

  test('that is a known one in another spelling is set right', () => {
    const call = { name: 'functions.ReadFile', arguments: { file_path: 'a' } };
    expect(checkToolCall(call, tools)).toMatchObject({
      ok: true,
      call: { name: 'read_file' },
      repairs: [{ repair: 'tool-name', message: 'functions.ReadFile is read_file' }],
    });
    expect(checkToolCall(call, tools, { fix: false }).ok).toBe(false);
  });
});

describe('what is wrong with arguments', () => {
  test.each<[JsonObject, string]>([
    [{}, 'missing-argument file_path is missing: expected a string'],
    [
      { file_pat: 'a' },
      'missing-argument file_path is missing: expected a string; is file_pat meant to be it?',
    ],
    [{ file_path: 7 }, 'wrong-type file_path: expected a string, got 7'],
    [
      { file_path: '' },
      'out-of-range file_path: expected at least 1 characters, got 0 characters: the string ""',
    ],
    [{ file_path: 'a', line_count: 0 }, 'out-of-range line_count: expected at least 1, got 0'],
    [{ file_path: 'a', line_count: 501 }, 'out-of-range line_count: expected at most 500, got 501'],
    [{ file_path: 'a', line_count: 1.5 }, 'wrong-type line_count: expected an integer, got 1.5'],
    [
      { file_path: 'a', encoding: 'utf8' },
      'wrong-value encoding: expected one of "utf-8", "latin-1", got the string "utf8"; did you mean utf-8?',
    ],
    [{ file_path: 'a', tags: ['x', 1] }, 'wrong-type tags[1]: expected a string, got 1'],
    [
      { file_path: 'a', filter: { depth: null } },
      'wrong-type filter.depth: expected an integer, got null',
    ],
    [
      { file_path: 'a', filter: { golb: '*' } },
      'unknown-argument filter.golb is not known: expected only glob, depth; did you mean glob?',
    ],
  ])('%j: %s', (args, problem) => {
    expect(problems(args)).toContain(problem);
  });

  test('is all told at once, each with its path', () => {
    const result = check({ line_count: 'many', filter: { depth: 'deep' }, tags: [[]] });
    expect(result.ok ? [] : result.issues.map(({ path }) => path)).toEqual([
      ['file_path'],
      ['line_count'],
      ['filter', 'depth'],
      ['tags', 0],
    ]);
    expect(result.ok ? '' : result.message).toBe(
      [
        'the arguments of read_file do not fit:',
        '- file_path is missing: expected a string',
        '- line_count: expected an integer, got the string "many"',
        '- filter.depth: expected an integer, got the string "deep"',
        '- tags[0]: expected a string, got an array of 0',
      ].join('\n'),
    );
  });

  test('is told of the alternative that was meant', () => {
    const circle = {
      properties: { kind: { const: 'circle' }, r: { type: 'number' } },
      required: ['kind', 'r'],
    };
    const square = {
      properties: { kind: { const: 'square' }, a: { type: 'number' } },
      required: ['kind', 'a'],
    };
    const shape = {
      oneOf: [
        { type: 'object', ...circle },
        { type: 'object', ...square },
      ],
    };
    expect(problemsOf({ kind: 'square' }, shape)).toEqual([
      'missing-argument v.a is missing: expected a number',
    ]);
    expect(problemsOf({ kind: 'line' }, shape)).toEqual([
      'no-match v: expected an object with kind, r, or an object with kind, a, got an object with kind',
    ]);
    expect(problemsOf('x', { anyOf: [{ type: 'integer' }, { type: 'null' }] })).toEqual([
      'no-match v: expected an integer, or null, got the string "x"',
    ]);
    expect(problemsOf('', { anyOf: [{ type: 'string', minLength: 2 }, { type: 'null' }] })).toEqual(
      ['out-of-range v: expected at least 2 characters, got 0 characters: the string ""'],
    );
    expect(problemsOf(4, { oneOf: [{ multipleOf: 2 }, { minimum: 3 }] })).toEqual([
      'no-match v: expected a value that fits one of 2 alternatives only, got one that fits 2',
    ]);
  });

  test.each<[JsonValue, JsonValue, string]>([
    [
      'ab',
      { pattern: '^a$' },
      'wrong-pattern v: expected a string that matches ^a$, got the string "ab"',
    ],
    [5, { const: 4 }, 'wrong-value v: expected 4, got 5'],
    [5, { exclusiveMaximum: 5 }, 'out-of-range v: expected less than 5, got 5'],
    [5, { minimum: 5, exclusiveMinimum: true }, 'out-of-range v: expected more than 5, got 5'],
    [5, { multipleOf: 2 }, 'out-of-range v: expected a multiple of 2, got 5'],
    [[1], { minItems: 2 }, 'out-of-range v: expected at least 2 items, got an array of 1'],
    [[1, 2], { maxItems: 1 }, 'out-of-range v: expected at most 1 item, got an array of 2'],
    [
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
      { uniqueItems: true },
      'duplicate-items v: expected no item twice, got the same item at 0 and 1',
    ],
    [
      [1],
      { contains: { type: 'string' } },
      'no-match v: expected an array in which at least 1 is a string, got 0 of 1',
    ],
    [
      { a: 1 },
      { minProperties: 2 },
      'out-of-range v: expected at least 2 keys, got an object with a',
    ],
    [
      { a: 1 },
      { propertyNames: { maxLength: 0 } },
      'wrong-value v.a: expected a key that is a string, got the string "a"',
    ],
    [
      { a: 1 },
      { dependentRequired: { a: ['b'] } },
      'missing-argument v.b is missing: expected a value, because a is given',
    ],
    [1, { not: { type: 'integer' } }, 'no-match v: expected anything but an integer, got 1'],
    [1, false, 'no-match v: expected no value here, got 1'],
    [
      1,
      { if: { minimum: 1 }, then: { multipleOf: 2 } },
      'out-of-range v: expected a multiple of 2, got 1',
    ],
    [{}, { type: 'str' }, 'wrong-type v: expected a string, got an empty object'],
    [
      'x'.repeat(100),
      { type: 'integer' },
      `wrong-type v: expected an integer, got the string "${'x'.repeat(60)}…"`,
    ],
  ])('%j by %j: %s', (value, schema, problem) => {
    expect(problemsOf(value, schema)).toEqual([problem]);
  });

  test.each<[JsonValue, JsonValue]>([
    [0.3, { multipleOf: 0.1 }],
    [1e21, { multipleOf: 1e20 }],
    ['\u{1F600}', { maxLength: 1 }],
    [null, { type: 'string', nullable: true }],
    [null, { allOf: [{ type: 'object' }], nullable: true }],
    [['a', 1, true], { items: [{ type: 'string' }], additionalItems: {} }],
    [['a', 1], { prefixItems: [{ type: 'string' }], items: { type: 'integer' } }],
    [{ a: 1 }, { dependencies: { b: ['c'] } }],
    [[1, '1', true, [1], { a: 1 }, 'true', null], { uniqueItems: true }],
  ])('is nothing for %j by %j', (value, schema) => {
    expect(problemsOf(value, schema)).toEqual([]);
  });
});

describe('options', () => {
  test('that do not exist or cannot be are refused', () => {
    expect(() => check({}, { fixes: true } as CheckOptions)).toThrow(
      'options: expected only fix, parseLoose, got "fixes"',
    );
    expect(() => check({}, JSON.parse('{"fix": 1}') as CheckOptions)).toThrow(
      'fix: expected a boolean, got 1',
    );
  });
});
