import { checkToolCall } from '@holdfast/core/check';
import type { JsonObject, JsonValue } from '@holdfast/core';
import { SchemaPattern } from '../../packages/core/src/internal/schema-pattern.ts';
import { UnsupportedPattern } from '../../packages/core/src/internal/schema-pattern-parser.ts';
import { readReturned, readThrown } from '../../packages/core/src/internal/read-failure.ts';
import { Choices } from '../loop/fuzz-input.ts';
import { expectSame, expectTrue } from '../loop/fuzz-target.ts';
import type { FuzzTarget } from '../loop/fuzz-target.ts';
import { expectJson } from './json-value.ts';

const CHECKED = [
  [{ type: 'object', properties: { a: { type: 'integer' } }, required: ['a'] }, { a: '1' }],
  [
    {
      properties: { a: { enum: ['x', 'y'] }, b: { anyOf: [{ type: 'null' }, { type: 'array' }] } },
    },
    { a: 'X', b: 'q' },
  ],
  [
    {
      $ref: '#/$defs/n',
      $defs: { n: { type: 'object', additionalProperties: { $ref: '#/$defs/n' } } },
    },
    { a: { b: {} } },
  ],
  [
    { properties: { s: { type: 'string', pattern: '^a+$', minLength: 2, format: 'date' } } },
    { s: 'aa' },
  ],
  [
    { if: { required: ['a'] }, then: { required: ['b'] }, not: { const: 1 }, oneOf: [true, false] },
    { a: 1 },
  ],
];

/** Arguments and schemas that nobody vouches for: the text is JSON of a schema and arguments. */
export const checkTarget: FuzzTarget = {
  name: 'check',
  seeds: CHECKED.map((pair) => ({ text: JSON.stringify(pair), choice: 0 })),
  words: ['"type"', '"object"', '"$ref"', '"#"', '"items"', '"pattern"', '"allOf"', '[]', '{}'],
  sources: ['packages/core/src/check', 'packages/core/src/internal/schema'],
  run: ({ text, choice }) => {
    const [schema, args] = pairIn(text);
    if (schema === undefined) return;
    const fix = new Choices(choice).flag();
    const call = { name: 'f', arguments: args };
    const tools = [{ name: 'f', parameters: schema }];
    const before = JSON.stringify(call);
    const result = checkToolCall(call, tools, { fix });
    expectSame('a call is not changed in place', JSON.stringify(call), before);
    if (!result.ok) {
      expectTrue('what is refused has a reason', result.issues.length > 0, () => text);
      return;
    }
    expectJson(result.call.arguments);
    if (!fix)
      expectSame(
        'nothing is mended where that is not wanted',
        JSON.stringify(result.call.arguments),
        JSON.stringify(args),
      );
    const again = checkToolCall(result.call, tools, { fix: false });
    expectTrue('what was set right fits', again.ok, () => JSON.stringify(again));
  },
};

function pairIn(text: string): [JsonObject | undefined, JsonObject] {
  try {
    const value = JSON.parse(text) as JsonValue;
    if (!Array.isArray(value)) return [undefined, {}];
    const [schema, args] = value as readonly JsonValue[];
    return [isObject(schema) ? schema : undefined, isObject(args) ? args : {}];
  } catch {
    return [undefined, {}];
  }
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Steps that no pattern and text of this size take. */
const ENOUGH_STEPS = 1_000_000;

/** Patterns of schemas, against native expressions: a pattern, a line break, and the text it is looked for in. */
export const patternTarget: FuzzTarget = {
  name: 'pattern',
  maxLength: 60,
  seeds: [
    '^a+$\naaa',
    '(a|b)*c?\nabab',
    '[^\\d\\s-z]{2,3}\nxy',
    '\\bfoo\\B\nfoo',
    '(?:x{1,2}){3}\nxxx',
    '\\p{L}\né',
    '.\n😀',
  ].map((text) => ({ text, choice: 0 })),
  words: [
    '\\d',
    '\\w',
    '\\b',
    '(?:',
    '(?=',
    '{2}',
    '{1,}',
    '[^',
    '\\u{1F600}',
    '\\p{L}',
    '.*',
    '+?',
  ],
  sources: [
    'packages/core/src/internal/schema-pattern.ts',
    'packages/core/src/internal/schema-pattern-parser.ts',
  ],
  run: ({ text }) => {
    const [source = '', ...rest] = text.split('\n');
    const subject = rest.join('\n');
    const ours = compiled(() => new SchemaPattern(source));
    if (ours === undefined) return;
    const native = compiled(() => new RegExp(source, 'u'));
    if (native === undefined) return;
    const found = ours.test(subject, ENOUGH_STEPS);
    if (found === undefined || isSlow(source) || isMisread(source, subject)) return;
    expectSame(
      'a pattern finds what a native expression finds',
      String(found),
      String(native.test(subject)),
    );
  },
};

/** Native expressions with several repetitions, or with one inside another, may take for ever. */
function isSlow(source: string): boolean {
  const repetitions = [...source.matchAll(/[*+]|\{\d/g)].map(({ index }) => index);
  const [first = Infinity] = repetitions;
  return (
    repetitions.length > 3 ||
    repetitions.some((index) => index > first && source.charAt(index - 1) === ')')
  );
}

/** V8 finds \B between the halves of a character, where there is no place. */
function isMisread(source: string, subject: string): boolean {
  return source.includes('\\B') && /[\u{10000}-\u{10ffff}]/u.test(subject);
}

function compiled<Pattern>(compile: () => Pattern): Pattern | undefined {
  try {
    return compile();
  } catch (error) {
    if (error instanceof UnsupportedPattern || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

const THROWN = [
  { message: 'fetch failed', cause: { code: 'ECONNREFUSED' } },
  { status: 429, headers: { 'retry-after': '3' }, message: 'slow down' },
  { name: 'TimeoutError', message: 'x' },
  { isError: true, content: [{ type: 'text', text: 'MCP error -32602: Invalid arguments' }] },
  { errors: [{ message: 'ETIMEDOUT' }], response: { status: 503 } },
  'Permission denied',
];

/** Whatever a tool throws or returns: the text is JSON of it. */
export const failureTarget: FuzzTarget = {
  name: 'failure',
  seeds: THROWN.map((thrown) => ({ text: JSON.stringify(thrown), choice: 0 })),
  words: [
    '"message"',
    '"status"',
    '"code"',
    '"cause"',
    '"headers"',
    '"retry-after"',
    '"errors"',
    '500',
  ],
  sources: [
    'packages/core/src/internal/read-failure.ts',
    'packages/core/src/internal/error',
    'packages/core/src/internal/failure',
    'packages/core/src/internal/retry-after.ts',
  ],
  run: ({ text, choice }) => {
    const choices = new Choices(choice);
    const value = valueIn(text);
    const thrown =
      choices.flag() && isObject(value) ? Object.assign(new Error(text), value) : value;
    for (const failure of [readThrown(thrown, undefined, 1e12), readReturned(value)]) {
      if (failure === undefined) continue;
      const { retryAfterMs } = failure;
      expectTrue('a failure has a message', failure.message !== '', () => text);
      const isTime =
        retryAfterMs === undefined || (retryAfterMs >= 0 && Number.isFinite(retryAfterMs));
      expectTrue('a wait is a time', isTime, () => String(retryAfterMs));
    }
  },
};

function valueIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
