import type { JsonValue } from '../types.ts';
import { showJson } from './schema-problem.ts';
import {
  ARRAY,
  BOOLEAN,
  FRACTION,
  INTEGER,
  NULL,
  OBJECT,
  STRING,
  typesOf,
} from './schema-types.ts';
import { isSchemaObject, listOf, ownOf } from './schema-walk.ts';
import type { SchemaWalk } from './schema-walk.ts';

const WORDS: readonly (readonly [number, string])[] = [
  [STRING, 'a string'],
  [BOOLEAN, 'a boolean'],
  [ARRAY, 'an array'],
  [OBJECT, 'an object'],
  [NULL, 'null'],
];

/** Kinds of value in words: `an integer or null`. */
export function describeTypes(types: number): string {
  const words = WORDS.filter(([type]) => (types & type) !== 0).map(([, word]) => word);
  if ((types & FRACTION) !== 0) words.unshift('a number');
  else if ((types & INTEGER) !== 0) words.unshift('an integer');
  return words.length === 0 ? 'no value' : words.join(' or ');
}

const SHOWN_MEMBERS = 20;
const SHOWN_BRANCHES = 6;

/** What a list of allowed values looks like in a message. */
export function describeMembers(members: readonly JsonValue[]): string {
  const shown = members.slice(0, SHOWN_MEMBERS).map(showJson).join(', ');
  if (members.length === 1) return shown;
  return `one of ${shown}${members.length > SHOWN_MEMBERS ? ', …' : ''}`;
}

/** What a schema wants, in a few words. */
export function describeSchema(schema: JsonValue | undefined, walk: SchemaWalk): string {
  if (!isSchemaObject(schema)) return schema === false ? 'no value' : 'any value';
  const only = ownOf(schema, 'const');
  if (only !== undefined) return showJson(only);
  const members = listOf(schema, 'enum');
  if (members.length > 0) return describeMembers(members);
  const types = typesOf(schema, walk);
  if (types === undefined) return 'a value';
  const keys = listOf(schema, 'required').filter((key) => typeof key === 'string');
  const isObject = types === OBJECT && keys.length > 0;
  return isObject ? `an object with ${keys.slice(0, 8).join(', ')}` : describeTypes(types);
}

/** What several alternatives want together. */
export function describeBranches(branches: readonly JsonValue[], walk: SchemaWalk): string {
  const words = [...new Set(branches.map((branch) => describeSchema(branch, walk)))];
  const more = words.length > SHOWN_BRANCHES ? ', …' : '';
  return words.slice(0, SHOWN_BRANCHES).join(', or ') + more;
}
