import type { JsonObject, JsonValue } from '../types.ts';
import { SchemaCoercion } from './schema-coercion.ts';
import type { ParseLoose } from './schema-readings.ts';
import { CHARACTERS_PER_PART, sizeOf } from './schema-size.ts';
import { readLiteral } from './schema-text.ts';
import { STRING, typesOf } from './schema-types.ts';
import { SchemaWalk } from './schema-walk.ts';

/** What a text means that no schema says anything about: itself, or the literal it may be. */
export type Untyped = 'text' | 'literal';

/**
 * What the text of a parameter means, by its schema. `root` is the schema that references are looked up in.
 * Never throws; a text that fits nothing stays what it is.
 */
export function valueFromText(
  text: string,
  schema: JsonValue | undefined,
  root: JsonObject | undefined,
  untyped: Untyped,
  parseLoose?: ParseLoose,
): JsonValue {
  const coercion = new SchemaCoercion(newWalk(root, text.length / CHARACTERS_PER_PART), {
    parseLoose,
  });
  const read = coercion.readText(text, schema);
  if (read !== undefined) return read;
  return untyped === 'text' ? text : readLiteral(text);
}

export interface CoercedValue {
  readonly value: JsonValue;
  readonly changed: boolean;
}

/**
 * Turns a typed value into what its schema asks for, where only one thing can be meant and nothing is
 * lost: `"42"` into 42. A value whose kind is allowed stays as it is, the same object.
 */
export function coerceValue(
  value: JsonValue,
  schema: JsonValue | undefined,
  root: JsonObject | undefined,
  parseLoose?: ParseLoose,
): CoercedValue {
  const size = sizeOf(value);
  if (size === undefined) return { value, changed: false };
  const coercion = new SchemaCoercion(newWalk(root, size), { parseLoose });
  const coerced = coercion.coerce(value, schema);
  return { value: coerced, changed: coerced !== value };
}

/** Whether the schema allows strings and nothing else: then any text is its own value. */
export function isStringOnly(schema: JsonValue | undefined, root: JsonObject | undefined): boolean {
  return typesOf(schema, newWalk(root, 0)) === STRING;
}

/** Steps a small value may take, and what each of its parts adds. */
const BASE_STEPS = 100_000;
const STEPS_PER_PART = 32;

export function newWalk(root: JsonObject | undefined, size: number): SchemaWalk {
  return new SchemaWalk(root, BASE_STEPS + STEPS_PER_PART * size);
}
