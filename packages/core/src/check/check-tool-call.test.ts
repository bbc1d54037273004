import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonObject, JsonValue, ToolCall, ToolDefinition } from '../types.ts';
import type { CheckOptions } from './check-options.ts';
import { checkToolCall } from './check-tool-call.ts';

const readFile: ToolDefinition = {
  name: 'read_file',
  parameters: {
    type: 'object',
    properties: {
      file_path: { type: 'string', minLength: 1 },
      line_count: { type: 'integer', minimum: 1, maximum: 500 },
      encoding: { enum: ['utf-8', 'latin-1'] },
      tags: { type: 'array', items: { type: 'string' } },
      filter: {
        type: 'object',
        properties: { glob: { type: 'string' }, depth: { type: 'integer' } },
        additionalProperties: false,
      },
    },
    required: ['file_path'],
    additionalProperties: false,
  },
};
const tools = [readFile, { name: 'write_file' }];

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

describe('safe mistakes', () => {
  test.each<[JsonObject, JsonObject, string, string]>([
    [{ filePath: 'a' }, { file_path: 'a' }, 'argument-name', 'filePath is file_path'],
    [{ 'File-Path': 'a' }, { file_path: 'a' }, 'argument-name', 'File-Path is file_path'],
    [
      { file_path: 'a', lineCount: 3 },
      { file_path: 'a', line_count: 3 },
      'argument-name',
      'lineCount is line_count',
    ],
    [
      { file_path: 'a', line_count: '3' },
      { file_path: 'a', line_count: 3 },
      'coerced-value',
      'line_count: "3" is 3',
    ],
    [{ file_path: 7 }, { file_path: '7' }, 'coerced-value', 'file_path: 7 is "7"'],
    [
      { file_path: 'a', encoding: "'utf-8'" },
      { file_path: 'a', encoding: 'utf-8' },
      'coerced-value',
      `encoding: "'utf-8'" is "utf-8"`,
    ],
    [
      { file_path: 'a', filter: '{"depth": 2}' },
      { file_path: 'a', filter: { depth: 2 } },
      'stringified-value',
      String.raw`filter: "{\"depth\": 2}" is an object with depth`,
    ],
    [
      { file_path: 'a', tags: '["x"]' },
      { file_path: 'a', tags: ['x'] },
      'stringified-value',
      String.raw`tags: "[\"x\"]" is an array of 1`,
    ],
    [
      { file_path: 'a', tags: 'x' },
      { file_path: 'a', tags: ['x'] },
      'single-value-for-array',
      'tags: "x" is an array of 1',
    ],
    [
      { file_path: 'a', tags: { tag: ['x'] } },
      { file_path: 'a', tags: ['x'] },
      'wrapped-value',
      'tags: an object with tag is an array of 1',
    ],
    [
      { file_path: 'a', tags: { 0: 'x', 1: 'y' } },
      { file_path: 'a', tags: ['x', 'y'] },
      'wrapped-value',
      'tags: an object with 0, 1 is an array of 2',
    ],
  ])('%j becomes %j (%s)', (args, fixed, repair, message) => {
    const result = check(args);
    expect(result).toMatchObject({ ok: true, call: { arguments: fixed } });
    expect(result.ok && result.repairs.map((one) => [one.repair, one.message])).toEqual([
      [repair, message],
    ]);
    expect(check(args, { fix: false }).ok).toBe(false);
  });

  test.each<[JsonObject, string]>([
    [{ file_path: 'a', filePath: 'b' }, 'both names are there'],
    [{ filePath: 'a', FilePath: 'b' }, 'two keys can be the one'],
    [{ path: 'a' }, 'it is another name'],
    [{ file_path: 1.5 }, 'zeros at the end may be gone'],
    [{ file_path: null }, 'nothing is no text'],
    [{ file_path: 'a', line_count: 'three' }, 'it is no number'],
    [{ file_path: 'a', line_count: '2.5' }, 'it is no whole number'],
    [{ file_path: 'a', line_count: '9007199254740993' }, 'digits would be lost'],
    [{ file_path: 'a', tags: '["x", ' }, 'it is a broken list'],
    [{ file_path: 'a', tags: { not: ['x'] } }, 'the key may say something'],
    [{ file_path: 'a', tags: { 0: 'x', 2: 'y' } }, 'one is missing between them'],
    [{ file_path: 'a', tags: null }, 'nothing is no list'],
    [{ file_path: 'a', encoding: 'UTF-8' }, 'it is another value'],
  ])('are not made of %j: %s', (args) => {
    const result = check(args);
    expect(result.ok).toBe(false);
  });

  test('are set right together, and listed on the call behind what was listed before', () => {
    const call: ToolCall = {
      id: 'call_1',
      name: 'ReadFile',
      arguments: { FilePath: 'a', tags: 'x', line_count: '3' },
      format: 'qwen',
      repairs: ['trailing-comma'],
      complete: true,
      lossy: false,
    };
    const result = checkToolCall(call, tools);
    expect(result).toMatchObject({
      ok: true,
      call: {
        ...call,
        name: 'read_file',
        arguments: { file_path: 'a', tags: ['x'], line_count: 3 },
        repairs: [
          'trailing-comma',
          'tool-name',
          'argument-name',
          'single-value-for-array',
          'coerced-value',
        ],
      },
    });
  });

  test('of a name are left alone where any key is allowed', () => {
    const parameters = { properties: { a_b: {} }, required: ['a_b'], additionalProperties: true };
    const result = checkToolCall({ name: 't', arguments: { aB: 1 } }, [{ name: 't', parameters }]);
    expect(result).toMatchObject({
      ok: false,
      issues: [{ code: 'missing-argument', suggestion: 'aB' }],
    });
  });

  test('are set right in the one alternative that fits then', () => {
    const parameters = {
      properties: {
        when: {
          anyOf: [
            { type: 'integer' },
            {
              type: 'object',
              properties: { dayOfWeek: { type: 'integer' } },
              required: ['dayOfWeek'],
            },
          ],
        },
      },
    };
    const result = checkToolCall({ name: 't', arguments: { when: '{"day_of_week": "2"}' } }, [
      { name: 't', parameters },
    ]);
    expect(result).toMatchObject({ ok: true, call: { arguments: { when: { dayOfWeek: 2 } } } });
    expect(result.ok && result.repairs.map(({ repair, path }) => [repair, path])).toEqual([
      ['stringified-value', ['when']],
      ['argument-name', ['when', 'dayOfWeek']],
      ['coerced-value', ['when', 'dayOfWeek']],
    ]);
  });

  test('in JSON are mended by the function that is given, if it mends them', () => {
    const args = { file_path: 'a', filter: "{'depth': 2}" };
    expect(check(args).ok).toBe(false);
    expect(check(args, { parseLoose: () => ({ depth: 2 }) }).ok).toBe(true);
    expect(check(args, { parseLoose: () => undefined }).ok).toBe(false);
    const parseLoose = (): never => {
      throw new Error('no');
    };
    expect(check(args, { parseLoose }).ok).toBe(false);
  });

  test('may be in arguments that came as one text', () => {
    const call = { name: 'read_file', arguments: '{"file_path": "a"}' as unknown as JsonObject };
    expect(checkToolCall(call, tools)).toMatchObject({
      ok: true,
      call: { arguments: { file_path: 'a' } },
    });
    const list = { name: 'write_file', arguments: [] as unknown as JsonObject };
    expect(checkToolCall(list, tools)).toMatchObject({
      ok: false,
      issues: [
        { code: 'wrong-type', message: 'the arguments: expected an object, got an array of 0' },
      ],
    });
  });
});

describe('what a schema says that is not understood', () => {
  const warnings = (parameters: JsonObject): string[] =>
    checkToolCall({ name: 't', arguments: {} }, [{ name: 't', parameters }]).warnings.map(
      ({ message }) => message,
    );

  test.each<[JsonObject, string]>([
    [
      { unevaluatedProperties: false },
      'unevaluatedProperties in the schema of t is not checked: the keyword is not known',
    ],
    [
      { properties: { a: { typ: 'x' } } },
      'properties/a/typ in the schema of t is not checked: the keyword is not known',
    ],
    [
      { properties: { a: { required: true } } },
      'properties/a/required in the schema of t is not checked: expected names, got true',
    ],
    [
      { properties: { a: { type: 'interval' } } },
      'properties/a/type in the schema of t is not checked: there is no type "interval"',
    ],
    [
      { properties: { a: { $ref: '#/$defs/b' } } },
      'properties/a/$ref in the schema of t is not checked: "#/$defs/b" leads nowhere within the schema',
    ],
    [
      { properties: { a: { $ref: 'https://example.com/a' } } },
      'properties/a/$ref in the schema of t is not checked: "https://example.com/a" leads nowhere within the schema',
    ],
    [
      { properties: { a: { pattern: '(?=a)' } } },
      'properties/a/pattern in the schema of t is not checked: the pattern "(?=a)" cannot be followed: it looks ahead or behind',
    ],
    [
      { patternProperties: { '(a)\\1': {} } },
      String.raw`patternProperties in the schema of t is not checked: the pattern "(a)\\1" cannot be followed: it refers back to a group`,
    ],
    [
      { multipleOf: 0 },
      'multipleOf in the schema of t is not checked: expected a number above 0, got 0',
    ],
    [
      { anyOf: [{ $id: 'x' }] },
      'anyOf/0/$id in the schema of t is not checked: references from inside another document are not followed',
    ],
  ])('%j is told, and does not fail the call', (parameters, message) => {
    expect(warnings(parameters)).toEqual([message]);
    expect(checkToolCall({ name: 't', arguments: {} }, [{ name: 't', parameters }]).ok).toBe(true);
  });

  test('does not hide what is understood', () => {
    const parameters = { properties: { a: { type: 'integer', unknown: 1, pattern: '\\k' } } };
    const result = checkToolCall({ name: 't', arguments: { a: 'x' } }, [{ name: 't', parameters }]);
    expect(result).toMatchObject({ ok: false, issues: [{ code: 'wrong-type' }] });
    expect(result.warnings.map(({ received }) => received)).toEqual(['unknown', 'pattern']);
  });

  test('is nothing in annotations', () => {
    const parameters = {
      title: 't',
      description: 'd',
      default: {},
      'x-order': 1,
      format: 'date',
      $schema: 's',
      $id: 'i',
    };
    expect(warnings(parameters)).toEqual([]);
  });
});

describe('hostile schemas and arguments', () => {
  const result = (args: JsonObject, parameters: JsonObject) =>
    checkToolCall({ name: 't', arguments: args }, [{ name: 't', parameters }]);

  test('that have no end are not called valid', () => {
    expect(result({}, { $ref: '#' })).toMatchObject({
      ok: false,
      issues: [{ code: 'too-complex' }],
    });
    const args: Record<string, unknown> = {};
    args['self'] = args;
    expect(result(args as JsonObject, {})).toMatchObject({
      ok: false,
      issues: [{ code: 'too-complex' }],
    });
  });

  test('that multiply are cut short', () => {
    let fold: JsonValue = { type: 'integer' };
    for (let i = 0; i < 400; i++) fold = { allOf: [fold, fold] };
    expect(result({ a: 1 }, { properties: { a: fold } })).toMatchObject({
      issues: [{ code: 'too-complex' }],
    });
    const wide = {
      anyOf: Array.from({ length: 9 }, () => ({ items: { $ref: '#/properties/a' } })),
    };
    let deep: JsonValue = 'x';
    for (let i = 0; i < 150; i++) deep = [deep, deep];
    expect(result({ a: deep }, { properties: { a: wide } }).ok).toBe(false);
  });

  test('that are deep are refused, not fatal', () => {
    let deep: JsonValue = 1;
    for (let i = 0; i < 100_000; i++) deep = [deep];
    expect(result({ a: deep }, {})).toMatchObject({ issues: [{ code: 'too-complex' }] });
    let schema: JsonValue = {};
    for (let i = 0; i < 100_000; i++) schema = { not: schema };
    expect(result({ a: 1 }, { properties: { a: schema } })).toMatchObject({
      issues: [{ code: 'too-complex' }],
    });
  });

  test('that are wide are checked whole', () => {
    const wide = Array.from({ length: 200_000 }, () => '1');
    const parameters = { properties: { a: { items: { type: 'integer' } } } };
    const checked = result({ a: wide }, parameters);
    expect(checked.ok && checked.repairs.length).toBe(200_000);
    const manyKeys = Object.fromEntries(wide.map((_, at) => [`p${at}`, { typ: 'x' }]));
    expect(result({}, { properties: manyKeys }).ok).toBe(true);
  });

  test('with slow patterns are checked in time', () => {
    const parameters = { properties: { a: { pattern: '^(a+)+$' } } };
    expect(result({ a: `${'a'.repeat(100_000)}!` }, parameters)).toMatchObject({
      ok: false,
      issues: [{ code: 'wrong-pattern' }],
    });
  });

  test('of any kind give a result, the same one twice', () => {
    const anything = fc.jsonValue({ maxDepth: 4 }) as fc.Arbitrary<JsonValue>;
    const words = fc.constantFrom(
      'type',
      'enum',
      'properties',
      'items',
      'required',
      'anyOf',
      '$ref',
      'pattern',
      'a',
    );
    const schemas = fc.letrec<{ node: JsonValue }>((tie) => ({
      node: fc.oneof(
        { depthSize: 'small' },
        anything,
        fc.constantFrom('string', 'object', '#', 'a', '#/properties/a'),
        fc.array(tie('node'), { maxLength: 3 }),
        fc.dictionary(words, tie('node'), { maxKeys: 4 }),
      ),
    })).node;
    fc.assert(
      fc.property(fc.dictionary(words, anything), schemas, (args, schema) => {
        const call = { name: 't', arguments: args };
        const tool = [{ name: 't', parameters: schema as JsonObject }];
        const once = checkToolCall(call, tool);
        expect(checkToolCall(call, tool)).toEqual(once);
      }),
    );
  });

  test('cannot reach a prototype', () => {
    const args = JSON.parse('{"__proto__": "1", "constructor": "2"}') as JsonObject;
    const parameters = { additionalProperties: { type: 'integer' } };
    const checked = result(args, parameters);
    expect(checked.ok && JSON.stringify(checked.call.arguments)).toBe(
      '{"__proto__":1,"constructor":2}',
    );
    expect(result({}, { required: ['constructor'] }).ok).toBe(false);
    expect(result({}, { properties: { a: { $ref: '#/constructor' } } }).ok).toBe(true);
  });
});

describe('options', () => {
  test('that do not exist or cannot be are refused', () => {
    expect(() => check({}, { fixes: true } as CheckOptions)).toThrow(
      'options: expected only fix, parseLoose, got "fixes"',
    );
    expect(() => check({}, { fix: 1 } as unknown as CheckOptions)).toThrow(
      'fix: expected a boolean, got 1',
    );
  });
});
