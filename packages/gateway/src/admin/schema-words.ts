import type { JsonObject } from '@holdfast/core';

// JSON Schemas of what the API takes and gives, in as few words as there are things to say.

export const text: JsonObject = Object.freeze({ type: 'string' });
export const number: JsonObject = Object.freeze({ type: 'number' });
export const count: JsonObject = Object.freeze({ type: 'integer', minimum: 0 });
export const flag: JsonObject = Object.freeze({ type: 'boolean' });
export const anything: JsonObject = Object.freeze({});
/** ISO 8601. */
export const time: JsonObject = Object.freeze({ type: 'string', format: 'date-time' });
/** How often each of some names came. */
export const counts: JsonObject = Object.freeze({ type: 'object', additionalProperties: count });
/** Names that anybody may have added. */
export const open: JsonObject = Object.freeze({ type: 'object' });

/** These fields and no others, all of them there but `optional`. */
export function fields(
  properties: Readonly<Record<string, JsonObject>>,
  optional: readonly string[] = [],
): JsonObject {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: 'object', properties, required, additionalProperties: false };
}

export function list(items: JsonObject): JsonObject {
  return { type: 'array', items };
}

export function orNull(schema: JsonObject): JsonObject {
  return { anyOf: [schema, { type: 'null' }] };
}

export function oneOf(...words: readonly string[]): JsonObject {
  return { enum: words };
}

export function said(schema: JsonObject, description: string): JsonObject {
  return { ...schema, description };
}
