import type { JsonObject, JsonValue } from '../types.ts';
import { describeSchema } from './schema-describe.ts';
import { canonicalJson } from './schema-equal.ts';
import type { SchemaRule } from './schema-rule.ts';
import type { SchemaValidator } from './schema-validator.ts';
import { isList, listOf, numberOf, ownOf } from './schema-walk.ts';

type List = readonly JsonValue[];

function countFits(list: List, schema: JsonObject, validator: SchemaValidator): boolean {
  const min = numberOf(schema, 'minItems');
  const max = numberOf(schema, 'maxItems');
  const fail = (expected: string): false =>
    validator.fail(list, { code: 'out-of-range', expected });
  if (min !== undefined && list.length < min) return fail(`at least ${count(min)}`);
  return max === undefined || list.length <= max || fail(`at most ${count(max)}`);
}

function count(items: number): string {
  return items === 1 ? '1 item' : `${items} items`;
}

/** The schema of the item at a place: by position in `prefixItems` or in draft 7's list, then the one for the rest. */
export function itemSchema(schema: JsonObject, at: number): JsonValue | undefined {
  const items = ownOf(schema, 'items');
  const prefix = isList(items) ? items : listOf(schema, 'prefixItems');
  if (at < prefix.length) return prefix[at];
  return isList(items) ? ownOf(schema, 'additionalItems') : items;
}

function itemsFit(list: List, schema: JsonObject, validator: SchemaValidator): boolean {
  if (!Object.hasOwn(schema, 'items') && !Object.hasOwn(schema, 'prefixItems')) return true;
  let areFit = true;
  for (const [at, item] of list.entries()) {
    if (validator.checkAt(at, item, itemSchema(schema, at))) continue;
    areFit = false;
    if (!validator.goesOn) return false;
  }
  return areFit;
}

function areUnique(list: List, schema: JsonObject, validator: SchemaValidator): boolean {
  if (ownOf(schema, 'uniqueItems') !== true) return true;
  const seen = new Map<string, number>();
  for (const [at, item] of list.entries()) {
    const key = canonicalJson(item);
    const before = seen.get(key);
    if (before !== undefined) {
      const received = `the same item at ${before} and ${at}`;
      return validator.fail(list, { code: 'duplicate-items', expected: 'no item twice', received });
    }
    seen.set(key, at);
  }
  return true;
}

function containsFits(list: List, schema: JsonObject, validator: SchemaValidator): boolean {
  const wanted = ownOf(schema, 'contains');
  if (wanted === undefined) return true;
  const min = numberOf(schema, 'minContains') ?? 1;
  const max = numberOf(schema, 'maxContains') ?? Infinity;
  const found = list.filter((item) => validator.fits(item, wanted)).length;
  if (found >= min && found <= max) return true;
  const limit = found < min ? `at least ${min}` : `at most ${max}`;
  const expected = `an array in which ${limit} is ${describeSchema(wanted, validator.walk)}`;
  return validator.fail(list, {
    code: 'no-match',
    expected,
    received: `${found} of ${list.length}`,
  });
}

/** All that a schema says about a list. */
export const arrayRules: readonly SchemaRule<List>[] = [
  countFits,
  areUnique,
  itemsFit,
  containsFits,
];
