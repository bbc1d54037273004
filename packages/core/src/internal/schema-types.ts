import type { JsonObject, JsonValue } from '../types.ts';
import { isSchemaObject, listOf, ownOf } from './schema-walk.ts';
import type { SchemaWalk } from './schema-walk.ts';

/** The kinds of JSON value, as bits: a schema allows a set of them. `number` is both kinds of number. */
export const NULL = 1;
export const BOOLEAN = 2;
export const INTEGER = 4;
export const FRACTION = 8;
export const STRING = 16;
export const ARRAY = 32;
export const OBJECT = 64;
export const NUMBER: number = INTEGER | FRACTION;

/** Names of types as schemas have them, those of JSON Schema and those that slip in from other languages. */
const TYPE_NAMES: ReadonlyMap<string, number> = new Map([
  ['null', NULL],
  ['none', NULL],
  ['nonetype', NULL],
  ...names(BOOLEAN, 'boolean bool binary'),
  ...names(INTEGER, 'integer int uint long short byte unsigned bigint'),
  ...names(NUMBER, 'number num float double decimal'),
  ...names(STRING, 'string str text varchar char character enum'),
  ...names(ARRAY, 'array arr list sequence tuple set'),
  ...names(OBJECT, 'object dict map mapping struct'),
]);

function names(type: number, list: string): [string, number][] {
  return list.split(' ').map((name) => [name, type]);
}

/** The bits of a type's name; 0 when nobody knows it, undefined when it allows anything. */
export function typeByName(written: string): number | undefined {
  const plain = TYPE_NAMES.get(written);
  if (plain !== undefined) return plain;
  // `list[str]`, `Dict<string, int>`: what is inside the brackets is not checked here.
  const name = (/^[a-z]+/i.exec(written.trim())?.[0] ?? '').toLowerCase();
  if (name === 'any') return undefined;
  const rest = written.trim().slice(name.length);
  // `int64` and `float32` are numbers of a size; `interval` is a word of its own.
  return /^\d{0,3}(?:[[<].*)?$/s.test(rest) ? (TYPE_NAMES.get(name) ?? 0) : 0;
}

export function typeOf(value: JsonValue): number {
  if (value === null) return NULL;
  if (Array.isArray(value)) return ARRAY;
  switch (typeof value) {
    case 'string':
      return STRING;
    case 'boolean':
      return BOOLEAN;
    case 'number':
      return Number.isInteger(value) ? INTEGER : FRACTION;
    default:
      return OBJECT;
  }
}

/** The kinds of value that a schema allows; undefined when it says nothing about them. */
export function typesOf(schema: JsonValue | undefined, walk: SchemaWalk): number | undefined {
  if (!isSchemaObject(schema)) return undefined;
  const { knownTypes } = walk;
  if (knownTypes.has(schema)) return knownTypes.get(schema);
  if (!walk.enter()) return undefined;
  // A schema that refers back to itself says nothing new there.
  knownTypes.set(schema, undefined);
  const types = collectTypes(schema, walk);
  knownTypes.set(schema, types);
  walk.leave();
  return types;
}

function collectTypes(schema: JsonObject, walk: SchemaWalk): number | undefined {
  const declared = declaredTypes(schema);
  const parts = [
    declared,
    memberTypes(schema),
    typesOf(walk.target(schema), walk),
    ...listOf(schema, 'allOf').map((part) => typesOf(part, walk)),
    branchTypes(listOf(schema, 'anyOf'), walk),
    branchTypes(listOf(schema, 'oneOf'), walk),
  ].filter((part) => part !== undefined);
  if (parts.length === 0) return impliedTypes(schema);
  const common = parts.reduce((all, part) => all & part);
  // Parts that exclude each other allow nothing; then what was declared tells most.
  const types = common === 0 ? (declared ?? parts.reduce((all, part) => all | part)) : common;
  return ownOf(schema, 'nullable') === true ? types | NULL : types;
}

/** The kinds of value that `type` insists on; undefined when it names one that nobody knows, or none. */
export function assertedTypes(schema: JsonObject): number | undefined {
  const type = ownOf(schema, 'type');
  const list = typeof type === 'string' ? [type] : listOf(schema, 'type');
  let types = 0;
  for (const name of list) {
    const known = typeof name === 'string' ? typeByName(name) : 0;
    if (known === undefined || known === 0) return undefined;
    types |= known;
  }
  return types === 0 ? undefined : types;
}

function declaredTypes(schema: JsonObject): number | undefined {
  const type = ownOf(schema, 'type');
  if (typeof type === 'string') return typeByName(type);
  const list = listOf(schema, 'type').filter((name) => typeof name === 'string');
  if (list.length === 0) return undefined;
  const types = list.map(typeByName);
  return types.includes(undefined)
    ? undefined
    : types.reduce((all, one) => (all ?? 0) | (one ?? 0), 0);
}

function memberTypes(schema: JsonObject): number | undefined {
  const only = ownOf(schema, 'const');
  if (only !== undefined) return typeOf(only);
  const members = listOf(schema, 'enum');
  return members.length === 0
    ? undefined
    : members.reduce<number>((all, one) => all | typeOf(one), 0);
}

function branchTypes(branches: readonly JsonValue[], walk: SchemaWalk): number | undefined {
  if (branches.length === 0) return undefined;
  let all = 0;
  for (const branch of branches) {
    if (branch === false) continue;
    const types = typesOf(branch, walk);
    if (types === undefined) return undefined;
    all |= types;
  }
  return all;
}

const IMPLIED: readonly (readonly [number, readonly string[]])[] = [
  [OBJECT, ['properties', 'required', 'additionalProperties', 'patternProperties']],
  [ARRAY, ['items', 'prefixItems', 'minItems', 'maxItems', 'uniqueItems']],
  [NUMBER, ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']],
  [STRING, ['pattern', 'minLength', 'maxLength', 'format']],
];

/** What a schema without a type is about, by the keywords it has. */
function impliedTypes(schema: JsonObject): number | undefined {
  return IMPLIED.find(([, keywords]) => keywords.some((word) => Object.hasOwn(schema, word)))?.[0];
}
