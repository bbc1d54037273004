import type { JsonObject, JsonValue } from '../types.ts';
import { numbersIn } from './json-source.ts';
import { holdsUnsafeNumber, losesDigits } from './schema-text.ts';
import { isList } from './schema-walk.ts';

type Container = JsonObject | readonly JsonValue[];

/** The digits of numbers that a double cannot hold, by the object or list that has them. */
const DIGITS = new WeakMap<Container, Map<string, string>>();

/**
 * Parses JSON as `JSON.parse` does, and keeps the digits of numbers that a double cannot hold: `writeExactJson`
 * writes them again, as long as the object or list that holds them is the same one.
 */
export function parseExactJson(text: string): JsonValue {
  // eslint-disable-next-line no-restricted-properties -- reads valid JSON only, as its name says
  const value = JSON.parse(text) as JsonValue;
  keepDigits(text, value);
  return value;
}

/** Writes a JSON value as `JSON.stringify` does, with the digits that `parseExactJson` kept. */
export function writeExactJson(value: unknown): string {
  const json = value as JsonValue;
  return holdsUnsafeNumber(json) ? writeJson(json, ',', ':') : JSON.stringify(value);
}

/** Keeps the digits of the numbers in `text`, the JSON of `value`. */
export function keepDigits(text: string, value: JsonValue): void {
  if (!holdsUnsafeNumber(value)) return;
  for (const { text: digits, path } of numbersIn(text)) {
    const number = Number(digits);
    if (Math.abs(number) <= Number.MAX_SAFE_INTEGER) continue;
    const key = String(path.at(-1));
    const holder = containerAt(value, path);
    if (holder === undefined || memberOf(holder, key) !== number) continue;
    if (losesDigits(digits, number)) digitsOf(holder).set(key, digits);
    // Of a key that is written twice, the last one counts.
    else DIGITS.get(holder)?.delete(key);
  }
}

/** The digits of a member that is a number, where they were kept. */
export function keptDigits(holder: Container, key: string): string | undefined {
  const number = memberOf(holder, key);
  if (typeof number !== 'number' || Math.abs(number) <= Number.MAX_SAFE_INTEGER) return undefined;
  const digits = DIGITS.get(holder)?.get(key);
  return digits !== undefined && number === Number(digits) ? digits : undefined;
}

/** Keeps the digits of a member that is a number; undefined: none are kept of it. */
export function keepDigit(holder: Container, key: string, digits: string | undefined): void {
  if (digits === undefined) DIGITS.get(holder)?.delete(key);
  else digitsOf(holder).set(key, digits);
}

/** Writes JSON with kept digits; `comma` and `colon` stand between members, and between key and value. */
export function writeJson(value: JsonValue, comma: string, colon: string): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (isList(value)) {
    const items = value.map((item, at) => keptDigits(value, String(at)) ?? orNull(item));
    return `[${items.join(comma)}]`;
  }
  const members: string[] = [];
  for (const [key, member] of Object.entries<JsonValue | undefined>(value)) {
    if (member === undefined) continue;
    const written = keptDigits(value, key) ?? writeJson(member, comma, colon);
    members.push(`${JSON.stringify(key)}${colon}${written}`);
  }
  return `{${members.join(comma)}}`;

  function orNull(item: JsonValue | undefined): string {
    return item === undefined ? 'null' : writeJson(item, comma, colon);
  }
}

function digitsOf(holder: Container): Map<string, string> {
  let digits = DIGITS.get(holder);
  if (digits === undefined) {
    digits = new Map<string, string>();
    DIGITS.set(holder, digits);
  }
  return digits;
}

/** The object or list that has the last key of a path. */
function containerAt(value: JsonValue, path: readonly (string | number)[]): Container | undefined {
  let at: JsonValue | undefined = value;
  for (let level = 0; level < path.length - 1; level++) {
    if (!isContainer(at)) return undefined;
    at = memberOf(at, String(path[level]));
  }
  return path.length > 0 && isContainer(at) ? at : undefined;
}

function memberOf(holder: Container, key: string): JsonValue | undefined {
  return (holder as Readonly<Record<string, JsonValue>>)[key];
}

function isContainer(value: JsonValue | undefined): value is Container {
  return typeof value === 'object' && value !== null;
}
