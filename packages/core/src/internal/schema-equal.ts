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

/** One text for all values that are the same. */
export function canonicalJson(value: JsonValue): string {
  if (isList(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (!isSchemaObject(value)) return JSON.stringify(value);
  const members = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key] ?? null)}`);
  return `{${members.join(',')}}`;
}
