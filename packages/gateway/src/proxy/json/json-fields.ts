import type { JsonObject, JsonValue } from '@holdfast/core';

/** Whether a value that came out of JSON is an object. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The object, or an empty one for anything else. */
export function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : NOTHING;
}

/** The string, or '' for anything else. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The list, or an empty one for anything else. */
export function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? (value as readonly JsonValue[]) : NONE;
}

/** A count from 0, also where it was sent as a string. */
export function countOf(value: JsonValue | undefined): number | undefined {
  const number = typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0
    ? number
    : undefined;
}

/** The object without some of its fields. */
export function without(object: JsonObject, fields: ReadonlySet<string>): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([field]) => !fields.has(field)));
}

const NOTHING: JsonObject = Object.freeze({});
const NONE: readonly JsonValue[] = Object.freeze([]);
