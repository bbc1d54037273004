import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../types.ts';
import { checkToolCall } from './check-tool-call.ts';

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
        const check = (): unknown => checkToolCall(call, tool);
        // What is not an object at all is a mistake of the program, like a tool without a name.
        const isSchema = typeof schema === 'object' && !Array.isArray(schema);
        if (isSchema) expect(check()).toEqual(check());
        else expect(check).toThrow(/^tools\[0\] \(t\): expected a JSON Schema object/);
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
