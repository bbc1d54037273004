import type { JsonValue } from '../types.ts';
import { isList, isSchemaObject } from './schema-walk.ts';

/** Whether two JSON values are the same, whatever the order of their keys. */
export function isEqualJson(one: JsonValue, other: JsonValue): boolean {
  if (one === other) return true;
  if (isList(one)) {
    if (!isList(other) || one.length !== other.length) return false;
    return one.every((item, at) => isEqualJson(item, other[at] ?? null));
  }
  if (!isSchemaObject(one) || !isSchemaObject(other)) return false;
  const keys = Object.keys(one);
  if (keys.length !== Object.keys(other).length) return false;
  return keys.every(
    (key) => Object.hasOwn(other, key) && isEqualJson(one[key] ?? null, other[key] ?? null),
  );
}
