import type { JsonObject, JsonValue } from '../types.ts';
import { memberSchemas } from './schema-object-rules.ts';
import { isSchemaObject, listOf, mapOf, ownOf } from './schema-walk.ts';
import type { SchemaWalk } from './schema-walk.ts';
import { spellingOf } from './tool-names.ts';

/** Keys that say nothing about what they hold: XML needs one around the items of a list. */
const EMPTY_WORDS: ReadonlySet<string> = new Set(['item', 'items', 'element', 'value', 'values']);

/**
 * What an object holds that is nothing but a wrapper: `{"item": […]}`, `{"0": …, "1": …}`, and under `tags`
 * also `{"tag": […]}`. Any other key may say something that would be lost.
 */
export function unwrapped(
  value: JsonValue,
  name: string | number | undefined,
): JsonValue | undefined {
  if (!isSchemaObject(value)) return undefined;
  const keys = Object.keys(value);
  const [first] = keys;
  if (first === undefined) return undefined;
  if (keys.length === 1 && (EMPTY_WORDS.has(first) || isOneOf(first, name))) return value[first];
  return keys.every((key, at) => key === String(at)) ? Object.values(value) : undefined;
}

/** Whether a key is the name of a list, or that of one of its items: `tag` of `tags`. */
function isOneOf(key: string, name: string | number | undefined): boolean {
  if (typeof name !== 'string') return false;
  const one = spellingOf(key);
  const many = spellingOf(name);
  return (
    many === one || many === `${one}s` || many === `${one}es` || many === `${one.slice(0, -1)}ies`
  );
}

const MAX_PIECES = 10_000;

/** The pieces of `1, 2, 3`; undefined when there is only one. */
export function listInText(value: JsonValue): JsonValue | undefined {
  if (typeof value !== 'string') return undefined;
  const pieces = value.trim().split(/[,\n]/, MAX_PIECES + 1);
  return pieces.length > 1 && pieces.length <= MAX_PIECES
    ? pieces.map((one) => one.trim())
    : undefined;
}

/** The allowed value that a text is when its quotes are taken off: `'high'`. */
export function unquotedMember(
  value: JsonValue,
  members: readonly JsonValue[],
): JsonValue | undefined {
  if (typeof value !== 'string' || members.length === 0 || members.includes(value))
    return undefined;
  const isQuoted = /^(["'`]).*\1$/s.test(value);
  const inner = value.slice(1, -1);
  return isQuoted && members.includes(inner) ? inner : undefined;
}

/**
 * Keys that are one of the declared names in another spelling, with that name. Only where the key is not
 * allowed or the name is required, and only if no other key and no other name can be meant.
 */
export function renamedKeys(
  object: JsonObject,
  schema: JsonObject,
  walk: SchemaWalk,
): ReadonlyMap<string, string> {
  const renames = new Map<string, string>();
  const others = ownOf(schema, 'additionalProperties');
  const properties = mapOf(schema, 'properties');
  const free = Object.keys(properties).filter((name) => !Object.hasOwn(object, name));
  // Where other keys are expressly allowed, a key is what it says.
  if (free.length === 0 || (others !== undefined && others !== false)) return renames;
  const required = new Set(listOf(schema, 'required'));
  const names = bySpelling(others === false ? free : free.filter((name) => required.has(name)));
  const strays = Object.keys(object).filter((key) =>
    memberSchemas(key, schema, walk).every((part) => part === false),
  );
  const strayKeys = bySpelling(strays.filter((key) => !Object.hasOwn(properties, key)));
  for (const [spelling, key] of strayKeys) {
    const name = names.get(spelling);
    if (key !== undefined && name !== undefined) renames.set(key, name);
  }
  return renames;
}

/** Names by their spelling without case and separators; undefined where two have the same. */
function bySpelling(names: readonly string[]): Map<string, string | undefined> {
  const map = new Map<string, string | undefined>();
  for (const name of names) {
    const spelling = spellingOf(name);
    map.set(spelling, map.has(spelling) ? undefined : name);
  }
  return map;
}
