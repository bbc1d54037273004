import type { JsonObject, JsonValue } from '../types.ts';
import { numbersIn } from './json-source.ts';
import { SchemaCoercion } from './schema-coercion.ts';
import { showPath } from './schema-problem.ts';
import type { ValuePath } from './schema-problem.ts';
import { sizeOf } from './schema-size.ts';
import { holdsUnsafeNumber, isLostNumber, losesDigits } from './schema-text.ts';
import { newWalk } from './schema-values.ts';

/** Looks up how the number at a path of valid JSON is written. Reads the JSON once, at the first lookup. */
export function numberLookup(json: string): (path: ValuePath) => string | undefined {
  let texts: Map<string, string> | undefined;
  return (path) => {
    texts ??= textsIn(json);
    // A number that was put into a list stands where it stood before.
    for (let length = path.length; length > 0; length--) {
      const text = texts.get(keyOf(path.slice(0, length)));
      if (text !== undefined) return text;
    }
    return undefined;
  };
}

/** The parameters of valid JSON arguments whose numbers a double cannot hold, if the arguments had to be rewritten. */
export function lostNumbersIn(json: string, rewritten: JsonValue): readonly ValuePath[] {
  if (!holdsUnsafeNumber(rewritten)) return [];
  const lost: ValuePath[] = [];
  for (const { text, path } of numbersIn(json)) {
    const value = Number(text);
    if (losesDigits(text, value) && Object.is(valueAt(rewritten, path), value))
      lost.push([...path]);
  }
  return lost;
}

/**
 * The parameters that want a number and were given the digits of one that a double cannot hold, in a call
 * whose text does not keep them either.
 */
export function unkeptNumbers(args: JsonObject, schema: JsonObject | undefined): readonly string[] {
  const size = schema === undefined ? undefined : sizeOf(args);
  if (size === undefined || !holdsLostNumber(args)) return NONE;
  const coercion = new SchemaCoercion(newWalk(schema, size));
  coercion.coerce(args, schema);
  return [...new Set(coercion.unkeptNumbers.map(showPath))];
}

/** Says which parameters of a call wanted a number and got more digits than it can hold. */
export function digitsLostMessage(name: string, lost: readonly string[]): string {
  const parameters = lost.map((parameter) => JSON.stringify(parameter)).join(', ');
  return `${name}: the number given for ${parameters} has more digits than a number can hold`;
}

function textsIn(json: string): Map<string, string> {
  const texts = new Map<string, string>();
  for (const { text, path } of numbersIn(json)) texts.set(keyOf(path), text);
  return texts;
}

function holdsLostNumber(value: JsonValue): boolean {
  if (typeof value === 'string') return isLostNumber(value);
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some(holdsLostNumber);
}

function valueAt(value: JsonValue, path: ValuePath): JsonValue | undefined {
  let at: JsonValue | undefined = value;
  for (const key of path) {
    if (typeof at !== 'object' || at === null) return undefined;
    at = (at as Readonly<Record<string | number, JsonValue>>)[key];
  }
  return at;
}

function keyOf(path: ValuePath): string {
  return JSON.stringify(path);
}

const NONE: readonly string[] = [];
