import type { JsonObject, JsonValue } from '../types.ts';
import { SchemaCoercion } from './schema-coercion.ts';
import { readLiteral } from './schema-text.ts';
import { STRING, typesOf } from './schema-types.ts';
import { isSchemaObject, SchemaWalk } from './schema-walk.ts';

/** What a text means that no schema says anything about: itself, or the literal it may be. */
export type Untyped = 'text' | 'literal';

/**
 * Reads an object or a list that is not quite JSON: a Python literal, single quotes. Returns undefined when
 * it cannot, or not without guessing or losing something.
 */
export type ParseLoose = (text: string) => JsonValue | undefined;

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
  const coercion = new SchemaCoercion(newWalk(root, text.length), parseLoose);
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
  const coercion = new SchemaCoercion(newWalk(root, sizeOf(value)), parseLoose);
  const coerced = coercion.coerce(value, schema);
  return { value: coerced, changed: coerced !== value };
}

/** Whether the schema allows strings and nothing else: then any text is its own value. */
export function isStringOnly(schema: JsonValue | undefined, root: JsonObject | undefined): boolean {
  return typesOf(schema, newWalk(root, 0)) === STRING;
}

/** Steps a small value may take, and what each of its parts adds. */
const BASE_STEPS = 10_000;
const STEPS_PER_PART = 32;

export function newWalk(root: JsonObject | undefined, size: number): SchemaWalk {
  return new SchemaWalk(root, BASE_STEPS + STEPS_PER_PART * size);
}

/** How many values are in a value, itself included. */
export function sizeOf(value: JsonValue): number {
  const open: JsonValue[] = [value];
  let size = 0;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    size++;
    if (Array.isArray(next)) for (const item of next as readonly JsonValue[]) open.push(item);
    else if (isSchemaObject(next)) for (const member of Object.values(next)) open.push(member);
  }
  return size;
}
