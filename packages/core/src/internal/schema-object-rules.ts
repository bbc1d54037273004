import type { JsonObject, JsonValue } from '../types.ts';
import { describeSchema } from './schema-describe.ts';
import type { SchemaRule } from './schema-rule.ts';
import type { SchemaValidator } from './schema-validator.ts';
import { isList, listOf, mapOf, numberOf, ownOf } from './schema-walk.ts';
import type { SchemaWalk } from './schema-walk.ts';

/** The schemas a member has to fit: its own, those whose pattern its name matches, else that of all others. */
export function memberSchemas(key: string, schema: JsonObject, walk: SchemaWalk): JsonValue[] {
  const properties = mapOf(schema, 'properties');
  const own = ownOf(properties, key);
  const schemas = own === undefined ? [] : [own];
  for (const [pattern, part] of Object.entries(mapOf(schema, 'patternProperties')))
    if (walk.matches(pattern, key) === true) schemas.push(part);
  const others = ownOf(schema, 'additionalProperties');
  return schemas.length > 0 || others === undefined ? schemas : [others];
}

function membersFit(object: JsonObject, schema: JsonObject, validator: SchemaValidator): boolean {
  const isSilent = ['properties', 'patternProperties', 'additionalProperties'].every(
    (keyword) => !Object.hasOwn(schema, keyword),
  );
  if (isSilent) return true;
  const isClosed = ownOf(schema, 'additionalProperties') === false;
  const properties = mapOf(schema, 'properties');
  let areFit = true;
  for (const key of Object.keys(object)) {
    const value = object[key] ?? null;
    const schemas = memberSchemas(key, schema, validator.walk);
    const isUnknown =
      isClosed && schemas.length === 1 && schemas[0] === false && !Object.hasOwn(properties, key);
    const isFit = isUnknown
      ? failUnknown(key, object, schema, validator)
      : schemas.every((part) => validator.checkAt(key, value, part));
    if (isFit) continue;
    areFit = false;
    if (!validator.goesOn) return false;
  }
  return areFit;
}

function failUnknown(
  key: string,
  object: JsonObject,
  schema: JsonObject,
  validator: SchemaValidator,
): false {
  const known = Object.keys(mapOf(schema, 'properties'));
  const expected = known.length === 0 ? 'no keys' : `only ${known.slice(0, 20).join(', ')}`;
  // A key that is there already is not what was meant.
  const free = known.filter((name) => !Object.hasOwn(object, name));
  return validator.fail(object[key], { code: 'unknown-key', expected, known: free }, key);
}

function requiredFit(object: JsonObject, schema: JsonObject, validator: SchemaValidator): boolean {
  const required = listOf(schema, 'required');
  validator.walk.charge(required.length);
  let areThere = true;
  for (const key of required) {
    if (typeof key !== 'string' || hasMember(object, key)) continue;
    areThere = failMissing(key, object, schema, validator, '');
    if (!validator.goesOn) return false;
  }
  return areThere;
}

function failMissing(
  key: string,
  object: JsonObject,
  schema: JsonObject,
  validator: SchemaValidator,
  because: string,
): false {
  const properties = mapOf(schema, 'properties');
  const wanted = ownOf(properties, key);
  const expected =
    (wanted === undefined ? 'a value' : describeSchema(wanted, validator.walk)) + because;
  // What was written under a name nobody knows may be what is missing.
  const known = Object.keys(object).filter((name) => !Object.hasOwn(properties, name));
  return validator.fail(undefined, { code: 'missing', expected, known }, key);
}

function dependentsFit(
  object: JsonObject,
  schema: JsonObject,
  validator: SchemaValidator,
): boolean {
  let areFit = true;
  for (const keyword of ['dependentRequired', 'dependentSchemas', 'dependencies']) {
    for (const [key, wanted] of Object.entries(mapOf(schema, keyword))) {
      if (!hasMember(object, key)) continue;
      if (!isList(wanted)) areFit = validator.check(object, wanted) && areFit;
      else
        for (const other of wanted)
          if (typeof other === 'string' && !hasMember(object, other))
            areFit = failMissing(other, object, schema, validator, `, because ${key} is given`);
      if (!areFit && !validator.goesOn) return false;
    }
  }
  return areFit;
}

function countFits(object: JsonObject, schema: JsonObject, validator: SchemaValidator): boolean {
  const min = numberOf(schema, 'minProperties');
  const max = numberOf(schema, 'maxProperties');
  const fail = (expected: string): false =>
    validator.fail(object, { code: 'out-of-range', expected });
  const size = Object.keys(object).length;
  if (min !== undefined && size < min) return fail(`at least ${min} keys`);
  return max === undefined || size <= max || fail(`at most ${max} keys`);
}

function namesFit(object: JsonObject, schema: JsonObject, validator: SchemaValidator): boolean {
  const names = ownOf(schema, 'propertyNames');
  if (names === undefined) return true;
  let areFit = true;
  for (const key of Object.keys(object)) {
    if (validator.fits(key, names)) continue;
    const expected = `a key that is ${describeSchema(names, validator.walk)}`;
    areFit = validator.fail(key, { code: 'wrong-value', expected }, key);
    if (!validator.goesOn) return false;
  }
  return areFit;
}

/** A member that is undefined is none: JSON cannot say it. */
function hasMember(object: JsonObject, key: string): boolean {
  return ownOf(object, key) !== undefined;
}

/** All that a schema says about an object. */
export const objectRules: readonly SchemaRule<JsonObject>[] = [
  requiredFit,
  dependentsFit,
  membersFit,
  countFits,
  namesFit,
];
