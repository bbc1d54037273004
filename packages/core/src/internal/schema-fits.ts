import type { JsonObject, JsonValue } from '../types.ts';
import { isEqualJson } from './schema-equal.ts';
import { typeOf, typesOf } from './schema-types.ts';
import { isList, isSchemaObject, listOf, ownOf } from './schema-walk.ts';
import type { SchemaWalk } from './schema-walk.ts';

/** Whether a value fits a schema as far as kinds, members and required keys go. */
export function fits(value: JsonValue, schema: JsonValue | undefined, walk: SchemaWalk): boolean {
  if (!isSchemaObject(schema)) return schema !== false;
  if (!walk.enter()) return true;
  const doesFit = fitsAll(value, schema, walk);
  walk.leave();
  return doesFit;
}

function fitsAll(value: JsonValue, schema: JsonObject, walk: SchemaWalk): boolean {
  const types = typesOf({ ...pick(schema, 'type'), ...pick(schema, 'nullable') }, walk);
  if (types !== undefined && (types & typeOf(value)) === 0) return false;
  const only = ownOf(schema, 'const');
  if (only !== undefined && !isEqualJson(only, value)) return false;
  const members = listOf(schema, 'enum');
  if (members.length > 0 && !members.some((member) => isEqualJson(member, value))) return false;
  const isFit = (part: JsonValue | undefined): boolean => fits(value, part, walk);
  const anyOf = listOf(schema, 'anyOf');
  const oneOf = listOf(schema, 'oneOf');
  return (
    isFit(walk.target(schema)) &&
    listOf(schema, 'allOf').every(isFit) &&
    (anyOf.length === 0 || anyOf.some(isFit)) &&
    (oneOf.length === 0 || oneOf.filter(isFit).length === 1) &&
    membersFit(value, schema, walk)
  );
}

function pick(schema: JsonObject, key: string): JsonObject {
  const value = ownOf(schema, key);
  return value === undefined ? {} : { [key]: value };
}

function membersFit(value: JsonValue, schema: JsonObject, walk: SchemaWalk): boolean {
  if (isList(value)) {
    const items = ownOf(schema, 'items');
    return isList(items) || value.every((item) => fits(item, items, walk));
  }
  if (!isSchemaObject(value)) return true;
  const properties = ownOf(schema, 'properties');
  const known = isSchemaObject(properties) ? properties : {};
  const isClosed =
    ownOf(schema, 'additionalProperties') === false && !Object.hasOwn(schema, 'patternProperties');
  return (
    listOf(schema, 'required').every(
      (key) => typeof key !== 'string' || Object.hasOwn(value, key),
    ) &&
    Object.keys(value).every((key) =>
      Object.hasOwn(known, key) ? fits(value[key] ?? null, known[key], walk) : !isClosed,
    )
  );
}
