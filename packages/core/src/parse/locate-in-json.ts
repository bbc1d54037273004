import { endOfString, endOfValue, keyOf, skipJsonSpace } from '../internal/json-source.ts';
import type { JsonObject, JsonValue } from '../types.ts';
import { isJsonObject } from './call-keys.ts';
import { BACKSLASH } from './json/char-code.ts';

/** A part of a text: from the index of its first character to the index after its last. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** Deeper than `choices`, `message`, `tool_calls`, an item and `function` no call writes its arguments. */
const MAX_LEVELS = 8;

/**
 * Finds where objects of a value are written in its JSON, since a value does not hold every digit. `json` must
 * be valid and say `value`; objects nested more than eight levels deep are not found.
 */
export function locateInJson(
  json: string,
  value: JsonValue,
  objects: readonly JsonObject[],
): ReadonlyMap<JsonObject, TextRange | undefined> {
  const places = new Map<JsonObject, TextRange | undefined>();
  for (const object of objects) places.set(object, undefined);
  if (places.size > 0) walk(json, skipJsonSpace(json, 0), value, places, MAX_LEVELS);
  return places;
}

/** Finds where one object is written, as `locateInJson` does. */
export function locateObject(
  json: string,
  value: JsonValue,
  object: JsonObject,
): TextRange | undefined {
  return rangeOfMember(json, value, object) ?? locateInJson(json, value, [object]).get(object);
}

/**
 * Where `object` is written if it is a member of `value` under the usual key, as most calls have it: native
 * searches find it. Undefined where that is not certain.
 */
function rangeOfMember(json: string, value: JsonValue, object: JsonObject): TextRange | undefined {
  if (!isJsonObject(value)) return undefined;
  const key = value['arguments'] === object ? ARGUMENTS : PARAMETERS;
  if (key === PARAMETERS && value['parameters'] !== object) return undefined;
  const at = json.indexOf(key);
  // It may be the end of a string, and the key may be written again, with escapes too.
  if (at < 0 || json.charCodeAt(at - 1) === BACKSLASH) return undefined;
  if (json.includes('\\u') || json.includes(key, at + 1)) return undefined;
  const start = skipJsonSpace(json, skipJsonSpace(json, at + key.length) + 1);
  if (isLastMember(json, value, object, start)) {
    const brace = json.lastIndexOf('}');
    const end = json.lastIndexOf('}', brace - 1) + 1;
    if (skipJsonSpace(json, end) === brace) return { start, end };
  }
  return { start, end: endOfValue(json, start) };
}

const ARGUMENTS = '"arguments"';
const PARAMETERS = '"parameters"';

/** Whether no other key is written after `start`, where the member `object` begins; false where that is not certain. */
function isLastMember(json: string, value: JsonObject, object: JsonObject, start: number): boolean {
  let isLast = false;
  for (const key in value) {
    // A new key would come after it here too, and one that is written twice is found in the text.
    isLast = value[key] === object;
    if (!isLast && (!PLAIN_KEY.test(key) || json.includes(`"${key}"`, start))) return false;
  }
  return isLast;
}

/** Written in one way only, but for Unicode escapes, and no number: those come first in any object. */
const PLAIN_KEY = /^[A-Za-z_][\w-]*$/;

/** Walks a value and its text side by side. Returns where the value ends. */
function walk(
  json: string,
  start: number,
  value: JsonValue | undefined,
  places: Map<JsonObject, TextRange | undefined>,
  levels: number,
): number {
  const isObject = isJsonObject(value);
  if (isObject && places.has(value)) {
    const end = endOfValue(json, start);
    // Of a key that is written twice, the last one counts.
    places.set(value, { start, end });
    return end;
  }
  const isMatch = json.charAt(start) === (isObject ? '{' : '[');
  if (levels === 0 || !isMatch || !(isObject || isList(value))) return endOfValue(json, start);
  let at = skipJsonSpace(json, start + 1);
  for (let index = 0; !isClosed(json, at); index++) {
    let member: JsonValue | undefined;
    if (isObject) {
      const end = endOfString(json, at);
      member = value[keyOf(json.slice(at, end))];
      at = skipJsonSpace(json, skipJsonSpace(json, end) + 1);
    } else member = value[index];
    at = skipJsonSpace(json, walk(json, at, member, places, levels - 1));
    if (json.charAt(at) === ',') at = skipJsonSpace(json, at + 1);
  }
  return at + 1;
}

function isList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}

function isClosed(json: string, at: number): boolean {
  return at >= json.length || json.charAt(at) === '}' || json.charAt(at) === ']';
}
