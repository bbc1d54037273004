import type { JsonObject, JsonValue } from '../types.ts';
import { describeBranches, describeSchema } from './schema-describe.ts';
import { typeOf, typesOf } from './schema-types.ts';
import type { SchemaRule } from './schema-rule.ts';
import type { SchemaValidator } from './schema-validator.ts';
import { isSchemaObject, listOf, mapOf, ownOf } from './schema-walk.ts';

function refFits(value: JsonValue, schema: JsonObject, validator: SchemaValidator): boolean {
  return validator.check(value, validator.walk.target(schema));
}

function allFit(value: JsonValue, schema: JsonObject, validator: SchemaValidator): boolean {
  let areFit = true;
  for (const part of listOf(schema, 'allOf')) {
    if (validator.check(value, part)) continue;
    areFit = false;
    if (!validator.goesOn) return false;
  }
  return areFit;
}

function anyFits(value: JsonValue, schema: JsonObject, validator: SchemaValidator): boolean {
  const branches = listOf(schema, 'anyOf');
  if (branches.length === 0 || branches.some((branch) => validator.fits(value, branch)))
    return true;
  return failBranches(value, branches, validator);
}

function oneFits(value: JsonValue, schema: JsonObject, validator: SchemaValidator): boolean {
  const branches = listOf(schema, 'oneOf');
  if (branches.length === 0) return true;
  const fitting = branches.filter((branch) => validator.fits(value, branch)).length;
  if (fitting === 1) return true;
  if (fitting === 0) return failBranches(value, branches, validator);
  const expected = `a value that fits one of ${branches.length} alternatives only`;
  return validator.fail(value, {
    code: 'no-match',
    expected,
    received: `one that fits ${fitting}`,
  });
}

/** Says what is wrong by the alternative that was meant, where that can be seen. */
function failBranches(
  value: JsonValue,
  branches: readonly JsonValue[],
  validator: SchemaValidator,
): boolean {
  if (!validator.goesOn) return false;
  const [meant, ...more] = branchesMeant(value, branches, validator);
  if (meant !== undefined && more.length === 0) return validator.check(value, meant);
  const expected = describeBranches(branches, validator.walk);
  return validator.fail(value, { code: 'no-match', expected });
}

/** The alternatives that a value can be meant for: of its kind, and with the same fixed members. */
export function branchesMeant(
  value: JsonValue,
  branches: readonly JsonValue[],
  validator: SchemaValidator,
): JsonValue[] {
  const { walk } = validator;
  const sameKind = branches.filter((branch) => {
    const types = branch === false ? 0 : typesOf(branch, walk);
    return types === undefined || (types & typeOf(value)) !== 0;
  });
  if (sameKind.length < 2 || !isSchemaObject(value)) return sameKind;
  const sameMembers = sameKind.filter((branch) => hasFixedMembers(value, branch, validator));
  return sameMembers.length === 0 ? sameKind : sameMembers;
}

/** Whether the members that an alternative fixes by `const` or `enum` are there and fit. */
function hasFixedMembers(
  value: JsonObject,
  branch: JsonValue,
  validator: SchemaValidator,
): boolean {
  const schema = isSchemaObject(branch) ? (validator.walk.target(branch) ?? branch) : branch;
  if (!isSchemaObject(schema)) return false;
  const fixed = Object.entries(mapOf(schema, 'properties')).filter(
    ([, part]) =>
      isSchemaObject(part) && (Object.hasOwn(part, 'const') || Object.hasOwn(part, 'enum')),
  );
  return (
    fixed.length > 0 &&
    fixed.every(
      ([key, part]) => Object.hasOwn(value, key) && validator.fits(value[key] ?? null, part),
    )
  );
}

function notFits(value: JsonValue, schema: JsonObject, validator: SchemaValidator): boolean {
  const unwanted = ownOf(schema, 'not');
  if (unwanted === undefined || !validator.fits(value, unwanted)) return true;
  const expected = `anything but ${describeSchema(unwanted, validator.walk)}`;
  return validator.fail(value, { code: 'no-match', expected });
}

function conditionFits(value: JsonValue, schema: JsonObject, validator: SchemaValidator): boolean {
  const condition = ownOf(schema, 'if');
  if (condition === undefined) return true;
  return validator.check(value, ownOf(schema, validator.fits(value, condition) ? 'then' : 'else'));
}

/** What a schema says through other schemas: references, combinations, conditions. */
export const logicRules: readonly SchemaRule<JsonValue>[] = [
  refFits,
  allFit,
  anyFits,
  oneFits,
  notFits,
  conditionFits,
];
