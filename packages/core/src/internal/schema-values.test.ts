import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../types.ts';
import { coerceValue, isStringOnly, valueFromText } from './schema-values.ts';

const read = (text: string, schema: JsonValue, root?: JsonObject): JsonValue =>
  valueFromText(text, schema, root, 'text');

describe('the text of a parameter', () => {
  test.each<[string, JsonValue, JsonValue]>([
    ['12', { type: 'integer' }, 12],
    [' 12\n', { type: 'integer' }, 12],
    ['-12', { type: 'int' }, -12],
    ['007', { type: 'integer' }, 7],
    ['5.0', { type: 'integer' }, 5],
    ['2.5', { type: 'number' }, 2.5],
    ['5.0', { type: 'number' }, 5],
    ['1e3', { type: 'float32' }, 1000],
    ['.5', { type: 'number' }, 0.5],
    ['3.14159265358979323846', { type: 'number' }, Math.PI],
    ['false', { type: 'bool' }, false],
    ['True', { type: 'boolean' }, true],
    ['1', { type: 'boolean' }, true],
    ['null', { type: 'null' }, null],
    ['NULL', { type: ['integer', 'null'] }, null],
    ['12', { type: 'integer', nullable: true }, 12],
    ['null', { type: 'integer', nullable: true }, null],
    ['[1, 2]', { type: 'array' }, [1, 2]],
    ['{"a": {"b": []}}', { type: 'dict' }, { a: { b: [] } }],
    ['', { type: 'array' }, []],
    ['', { type: 'object' }, {}],
    ['', { type: 'string' }, ''],
    ['two words', { type: 'STRING' }, 'two words'],
    ['[1]', { type: 'list[int]' }, [1]],
    ['7', { enum: [1, 7] }, 7],
    ['7', { const: 7 }, 7],
    ['on', { enum: ['on', 7] }, 'on'],
    ['{"a": 1}', { properties: { a: {} } }, { a: 1 }],
  ])('%j by %j is %j', (text, schema, value) => {
    expect(read(text, schema)).toEqual(value);
  });

  test.each<[string, JsonValue]>([
    ['12', { type: 'string' }],
    ['12', { enum: ['12', '13'] }],
    ['{"a": 1}', { type: 'string' }],
    ['null', { type: 'string' }],
    ['none', { type: ['string', 'null'] }],
    ['nil', { type: 'null' }],
    ['twelve', { type: 'integer' }],
    ['maybe', { type: 'boolean' }],
    ['1e999', { type: 'number' }],
    ['inf', { type: 'number' }],
    ['NaN', { type: 'number' }],
    ['1e-400', { type: 'number' }],
    ['9007199254740993', { type: 'integer' }],
    ['[1e999]', { type: 'array' }],
    ['[1, 2', { type: 'array' }],
    ['{oops}', { type: 'object' }],
    ['02139', { type: ['integer', 'string'] }],
    ['5.0', { type: ['integer', 'string'] }],
    ['1', { type: ['boolean', 'string'] }],
    ['x', { type: 'interval' }],
  ])('%j by %j stays text', (text, schema) => {
    expect(read(text, schema)).toBe(text);
  });

  test('is the first of several kinds that fits: null, number, boolean, object or list, text', () => {
    expect(read('42', { type: ['string', 'integer'] })).toBe(42);
    expect(read('null', { type: ['string', 'null'] })).toBe(null);
    expect(read('true', { anyOf: [{ type: 'string' }, { type: 'boolean' }] })).toBe(true);
    expect(read('[1]', { oneOf: [{ type: 'string' }, { type: 'array' }] })).toEqual([1]);
    expect(read('abc', { anyOf: [{ type: 'integer' }, { type: 'string' }] })).toBe('abc');
    expect(read('5', { anyOf: [{ enum: [1, 2] }, { type: 'string' }] })).toBe('5');
  });

  test('that fits no kind allowed is read as JSON, unless it may be text', () => {
    expect(read('42.5', { type: 'integer' })).toBe(42.5);
    expect(read('{"a": 1}', { type: 'array' })).toEqual({ a: 1 });
    expect(read('42', { type: 'interval' })).toBe(42);
    expect(read('42.5', { type: ['integer', 'string'] })).toBe('42.5');
  });

  test('follows references within the schema, and stops where they run in circles', () => {
    const root = {
      $defs: {
        count: { type: 'integer' },
        'a/b': { type: 'number' },
        loop: { $ref: '#/$defs/loop' },
      },
      definitions: { maybe: { anyOf: [{ $ref: '#/$defs/count' }, { type: 'null' }] } },
      properties: { tree: { type: 'array', items: { $ref: '#/properties/tree' } } },
    };
    expect(read('3', { $ref: '#/$defs/count' }, root)).toBe(3);
    expect(read('2.5', { $ref: '#/$defs/a~1b' }, root)).toBe(2.5);
    expect(read('null', { $ref: '#/definitions/maybe' }, root)).toBe(null);
    expect(read('3', { $ref: '#/$defs/loop' }, root)).toBe('3');
    expect(read('3', { $ref: '#/$defs/nowhere' }, root)).toBe('3');
    expect(read('3', { $ref: 'https://example.com/x.json' }, root)).toBe('3');
    expect(read('[["[]"]]', { $ref: '#/properties/tree' }, root)).toEqual([[[]]]);
  });

  test('types what is inside objects and lists', () => {
    const schema = {
      type: 'object',
      properties: {
        counts: { type: 'array', items: { type: 'integer' } },
        name: { type: 'string' },
      },
      additionalProperties: { type: 'boolean' },
    };
    expect(read('{"counts": ["1", 2], "name": "7", "extra": "true"}', schema)).toEqual({
      counts: [1, 2],
      name: '7',
      extra: true,
    });
  });

  test('is read loosely by the caller only where it must be an object or a list', () => {
    const loose = (text: string): JsonValue | undefined => (text === "['a']" ? ['a'] : undefined);
    expect(valueFromText("['a']", { type: 'array' }, undefined, 'text', loose)).toEqual(['a']);
    expect(valueFromText("['a']", { type: 'object' }, undefined, 'text', loose)).toBe("['a']");
    const either = { type: ['array', 'string'] };
    expect(valueFromText("['a']", either, undefined, 'text', loose)).toBe("['a']");
  });

  test('keeps __proto__ and constructor as plain keys', () => {
    const schema = { type: 'object', additionalProperties: { type: 'integer' } };
    const value = read('{"__proto__": "1", "constructor": "2"}', schema);
    expect(JSON.stringify(value)).toBe('{"__proto__":1,"constructor":2}');
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(read('x', { $ref: '#/constructor' }, {})).toBe('x');
  });
});

describe('a text that no schema says anything about', () => {
  test.each<JsonValue | undefined>([
    undefined,
    true,
    {},
    { description: 'a count' },
    { type: 'any' },
  ])('stays as it is by %j', (schema) => {
    expect(valueFromText('42', schema, undefined, 'text')).toBe('42');
    expect(valueFromText('42', schema, undefined, 'literal')).toBe(42);
  });

  test.each<[string, JsonValue]>([
    ['true', true],
    ['False', false],
    ['None', null],
    ['null', null],
    ['-1.50', -1.5],
    ['1e3', 1000],
    ['[1, "a"]', [1, 'a']],
    ['{"a": null}', { a: null }],
  ])('may be read as a literal: %j', (text, value) => {
    expect(valueFromText(text, undefined, undefined, 'literal')).toEqual(value);
  });

  test.each([
    'TRUE',
    'none',
    'nil',
    '007',
    '+1',
    '.5',
    '1,5',
    '12345678901234567890',
    '1e999',
    '[1',
    '"a"',
    ' a ',
  ])('stays text when it is no literal: %j', (text) => {
    expect(valueFromText(text, undefined, undefined, 'literal')).toBe(text);
  });
});

describe('a typed value', () => {
  const coerce = (value: JsonValue, schema: JsonValue): JsonValue =>
    coerceValue(value, schema, undefined).value;

  test.each<[JsonValue, JsonValue, JsonValue]>([
    ['42', { type: 'integer' }, 42],
    ['42', { anyOf: [{ type: 'integer' }, { type: 'null' }] }, 42],
    ['null', { type: ['integer', 'null'] }, null],
    ['true', { type: 'boolean' }, true],
    [0, { type: 'boolean' }, false],
    [42, { type: 'string' }, '42'],
    [true, { type: 'string' }, 'true'],
    ['[1]', { type: 'array' }, [1]],
    [['1', '2'], { items: { type: 'integer' } }, [1, 2]],
    [['1', '2'], { prefixItems: [{ type: 'integer' }] }, [1, '2']],
    [['1', '2'], { items: [{}], additionalItems: { type: 'integer' } }, ['1', 2]],
    [{ a: '1' }, { allOf: [{ properties: { a: { type: 'integer' } } }] }, { a: 1 }],
    [
      { a: '1' },
      { oneOf: [{ properties: { a: { type: 'integer' } } }, { type: 'null' }] },
      { a: 1 },
    ],
  ])('%j becomes by %j %j', (value, schema, coerced) => {
    expect(coerceValue(value, schema, undefined)).toEqual({ value: coerced, changed: true });
  });

  test.each<[JsonValue, JsonValue]>([
    ['42', { type: ['integer', 'string'] }],
    ['null', { type: ['string', 'null'] }],
    ['x', { type: 'integer' }],
    [1.5, { type: 'integer' }],
    [1.1, { type: 'string' }],
    [null, { type: 'string' }],
    [1, { type: ['boolean', 'null'] }],
    [{ a: '1' }, { type: 'string' }],
    ['1', { anyOf: [{ type: 'integer' }, { type: 'boolean' }, { type: 'string' }] }],
  ])('%j stays as it is by %j', (value, schema) => {
    expect(coerce(value, schema)).toBe(value);
  });

  test('that needs no change is returned, not a copy of it', () => {
    const value = { list: [1, 2], inner: { a: 'x' } };
    const schema = {
      properties: {
        list: { type: 'array', items: { type: 'integer' } },
        inner: { type: 'object', properties: { a: { type: 'string' } } },
      },
    };
    expect(coerceValue(value, schema, undefined)).toEqual({ value, changed: false });
    expect(coerce(value, schema)).toBe(value);
  });
});

describe('isStringOnly', () => {
  test('is true of schemas that allow text and nothing else', () => {
    const root = { $defs: { name: { type: 'string' } } };
    const yes = [
      { type: 'string' },
      { type: ['string'] },
      { enum: ['a', 'b'] },
      { $ref: '#/$defs/name' },
    ];
    const no = [
      {},
      true,
      { type: ['string', 'null'] },
      { type: 'string', nullable: true },
      { type: 'integer' },
    ];
    expect(yes.map((schema) => isStringOnly(schema, root))).toEqual(yes.map(() => true));
    expect(no.map((schema) => isStringOnly(schema, root))).toEqual(no.map(() => false));
    expect(isStringOnly(undefined, undefined)).toBe(false);
  });
});

describe('any schema and any text', () => {
  test('give a value, and the same one again', () => {
    const anySchema = fc.jsonValue({ maxDepth: 4 }) as fc.Arbitrary<JsonValue>;
    const anyText = fc.oneof(fc.string(), fc.json());
    fc.assert(
      fc.property(anyText, anySchema, anySchema, (text, schema, root) => {
        const once = valueFromText(text, schema, root as JsonObject, 'literal');
        expect(once).toEqual(valueFromText(text, schema, root as JsonObject, 'literal'));
        expect(once).not.toBe(undefined);
        coerceValue(root, schema, root as JsonObject);
      }),
    );
  });

  test('are read in bounded time, however the schema is folded', () => {
    const wide = { anyOf: Array.from({ length: 8 }, () => ({ items: { $ref: '#' } })) };
    const deep = `${'['.repeat(100)}"1"${']'.repeat(100)}`;
    expect(read(deep, wide, wide)).toEqual(JSON.parse(deep));
    let fold: JsonValue = { type: 'integer' };
    for (let i = 0; i < 5000; i++) fold = { anyOf: [fold, fold] };
    expect(read('1', fold)).not.toBe(undefined);
  });
});
