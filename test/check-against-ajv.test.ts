import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkToolCall } from '@holdfast/core/check';
import type { JsonObject, JsonValue } from '@holdfast/core/check';

type Draft = '2020-12' | 'draft-07';

/** A small world, so that values and schemas often meet. */
const names = fc.constantFrom('a', 'b', 'ab', 'id', '__proto__');
const texts = fc.constantFrom(
  '',
  'a',
  'ab',
  'abc',
  '7',
  'true',
  'null',
  '[1]',
  '{"a":1}',
  '\u{1F600}',
);
const numbers = fc.constantFrom(-1, 0, 1, 2, 2.5, 3, 4, 1e9);
const scalars = fc.oneof(texts, numbers, fc.boolean(), fc.constant(null));

const { value: values } = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    scalars,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.array(fc.tuple(names, tie('value')), { maxLength: 3 }).map(objectOf),
  ),
}));

/** `__proto__` has to be a key like any other, which a literal cannot write. */
function objectOf(entries: readonly (readonly [string, JsonValue])[]): JsonObject {
  return JSON.parse(
    `{${entries.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`).join(',')}}`,
  ) as JsonObject;
}

const types = fc.constantFrom('null', 'boolean', 'integer', 'number', 'string', 'array', 'object');
const patterns = fc.constantFrom('^a', 'b$', '^[a-z]+$', '^.{1,2}$', '\\d', '^(a|b)*$', '^(a+)+$');
const counts = fc.nat({ max: 3 });
const keyList = fc.uniqueArray(names, { maxLength: 2 });

function schemas(draft: Draft): fc.Arbitrary<JsonValue> {
  const { schema } = fc.letrec<{ schema: JsonValue; object: JsonValue }>((tie) => {
    const inner = tie('schema');
    const several = fc.array(inner, { minLength: 1, maxLength: 3 });
    const byName = <Value extends JsonValue>(part: fc.Arbitrary<Value>) =>
      fc.array(fc.tuple(names, part), { maxLength: 3 }).map(objectOf);
    const byPattern = fc.dictionary(patterns, inner, { maxKeys: 2 });
    const common = {
      type: fc.oneof(types, fc.uniqueArray(types, { minLength: 1, maxLength: 3 })),
      enum: fc.uniqueArray(scalars, { minLength: 1, maxLength: 4, comparator: 'SameValueZero' }),
      const: values,
      properties: byName(inner),
      patternProperties: byPattern,
      additionalProperties: inner,
      propertyNames: inner,
      required: keyList,
      minProperties: counts,
      maxProperties: counts,
      contains: inner,
      minItems: counts,
      maxItems: counts,
      uniqueItems: fc.boolean(),
      minimum: numbers,
      maximum: numbers,
      exclusiveMinimum: numbers,
      exclusiveMaximum: numbers,
      multipleOf: fc.constantFrom(1, 2, 0.5, 3),
      minLength: counts,
      maxLength: counts,
      pattern: patterns,
      allOf: several,
      anyOf: several,
      oneOf: several,
      not: inner,
      if: inner,
      then: inner,
      else: inner,
      title: texts,
      description: texts,
      default: values,
      $ref: fc.constantFrom('#/$defs/text', '#/$defs/tree', '#/definitions/count'),
    };
    const own =
      draft === 'draft-07'
        ? {
            items: fc.oneof(inner, several),
            additionalItems: inner,
            dependencies: byName<JsonValue>(fc.oneof(keyList, inner)),
          }
        : {
            items: inner,
            prefixItems: several,
            minContains: counts,
            maxContains: counts,
            dependentRequired: byName(keyList),
            dependentSchemas: byName(inner),
          };
    const keywords = Object.entries({ ...common, ...own }) as [string, fc.Arbitrary<JsonValue>][];
    const keyword = fc.oneof(
      ...keywords.map(([name, value]) => value.map((one) => [name, one] as const)),
    );
    return {
      object: fc.array(keyword, { maxLength: 4 }).map(objectOf),
      schema: fc.oneof({ depthSize: 'small', withCrossShrink: true }, fc.boolean(), tie('object'), {
        arbitrary: tie('object'),
        weight: 4,
      }),
    };
  });
  return schema;
}

/** References lead to these; the tree leads to itself. */
const definitions = {
  $defs: {
    text: { type: 'string', minLength: 1 },
    tree: { anyOf: [{ type: 'integer' }, { type: 'array', items: { $ref: '#/$defs/tree' } }] },
  },
  definitions: { count: { type: 'integer', minimum: 0 } },
};

function parametersFor(schema: JsonValue): JsonObject {
  return { ...definitions, type: 'object', properties: { value: schema }, required: ['value'] };
}

/** One for all cases: making one takes longer than using it. */
function validatorFor(draft: Draft): (schema: JsonObject, value: JsonValue) => boolean {
  const options = { strict: false, validateFormats: false, addUsedSchema: false } as const;
  const ajv = draft === 'draft-07' ? new Ajv(options) : new Ajv2020(options);
  return (schema, value) => {
    const isFit = ajv.compile(schema)(value);
    ajv.removeSchema(schema);
    return isFit;
  };
}

const runs = 5 * (fc.readConfigureGlobal().numRuns ?? 100);

describe.each<Draft>(['2020-12', 'draft-07'])('checkToolCall by %s', (draft) => {
  const cases = fc.tuple(schemas(draft), values);
  const isFit = validatorFor(draft);

  /** Ajv takes `__proto__` for the prototype, and finds in empty lists what other lists contain. */
  const isBeyondAjv = (schema: JsonValue, value: JsonValue): boolean => {
    const both = JSON.stringify([schema, value]);
    const isEmpty = both.includes('"contains"') && both.includes('[]');
    // It finds that a list contains what nothing is, where its first items have schemas of their own.
    const isNothing = both.includes('"contains":false') && both.includes('"prefixItems"');
    return isEmpty || isNothing || both.includes('__proto__');
  };

  it('accepts what ajv accepts and refuses what it refuses', { timeout: 120_000 }, () => {
    const counted = { fit: 0, unfit: 0 };
    fc.assert(
      fc.property(cases, ([schema, value]) => {
        fc.pre(!isBeyondAjv(schema, value));
        const parameters = parametersFor(schema);
        const call = { name: 'tool', arguments: { value } };
        const expected = isFit(parameters, call.arguments);
        const result = checkToolCall(call, [{ name: 'tool', parameters }], { fix: false });
        counted[expected ? 'fit' : 'unfit']++;
        expect(result.ok).toBe(expected);
        expect(result.warnings).toEqual([]);
        if (!result.ok) expect(result.issues.length).toBeGreaterThan(0);
      }),
      { numRuns: runs },
    );
    expect(counted.fit).toBeGreaterThan(runs / 20);
    expect(counted.unfit).toBeGreaterThan(runs / 20);
  });

  it('leaves what fits as it is, and sets right only so that it fits', { timeout: 120_000 }, () => {
    fc.assert(
      fc.property(cases, ([schema, value]) => {
        fc.pre(!isBeyondAjv(schema, value));
        const parameters = parametersFor(schema);
        const call = { name: 'tool', arguments: { value } };
        const wasFit = isFit(parameters, call.arguments);
        const result = checkToolCall(call, [{ name: 'tool', parameters }]);
        if (wasFit) expect(result).toEqual({ ok: true, call, repairs: [], warnings: [] });
        else if (result.ok) {
          expect(result.repairs.length).toBeGreaterThan(0);
          expect(isFit(parameters, result.call.arguments)).toBe(true);
        }
      }),
      { numRuns: runs },
    );
  });
});
