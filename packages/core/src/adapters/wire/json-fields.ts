import { isJsonObject } from '../../parse/call-keys.ts';
import { parseStrict } from '../../parse/json/parse-strict.ts';
import { DEFAULT_LIMITS } from '../../parse/limits.ts';
import type { JsonObject, JsonValue } from '../../types.ts';

/** A JSON object; undefined for everything else, and for what is nested without measure. */
export function readObject(text: string): JsonObject | undefined {
  const read = parseStrict(text, DEFAULT_LIMITS.maxDepth);
  return typeof read === 'object' && isJsonObject(read.value) ? read.value : undefined;
}

/** The value as an object, empty where it is none. */
export function objectOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** The value as a list, empty where it is none. */
export function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? (value as readonly JsonValue[]) : [];
}

/** The value as a text, empty where it is none. */
export function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}

/** A count, also where it came as text; undefined for what is none. */
export function countOf(value: JsonValue | undefined): number | undefined {
  const count = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof count === 'number' && Number.isSafeInteger(count) && count >= 0 ? count : undefined;
}

/** Arguments as text, also where a server sent them as an object. */
export function jsonTextOf(value: JsonValue | undefined): string {
  if (typeof value === 'string') return value;
  if (value === undefined || value === null) return '';
  return isJsonObject(value) && Object.keys(value).length === 0 ? '' : JSON.stringify(value);
}
