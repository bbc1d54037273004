import type { JsonObject, JsonValue } from '@holdfast/core';
import { valueFromText } from '@holdfast/core/check';
import { isObject, objectOf } from '../proxy/json/json-fields.ts';
import { Misuse } from './misuse.ts';

/**
 * The arguments of a tool as a person types them: `key=value`, the value read by the tool's schema, `key:=json`
 * as it is, and a whole object as JSON, over which the others win. A key that is given several times is a list.
 */
export function readCallArguments(
  words: readonly string[],
  schema: JsonObject,
  json?: string,
): JsonObject {
  const given = new Map<string, JsonValue[]>();
  for (const word of words) {
    const [key, value] = readPair(word, schema);
    given.set(key, [...(given.get(key) ?? []), value]);
  }
  const pairs = [...given].map(([key, values]): [string, JsonValue] => {
    const [first = null] = values;
    if (values.length === 1) return [key, first];
    if (!takesList(objectOf(objectOf(schema['properties'])[key]))) {
      throw new Misuse(
        `${key}: expected one value, got ${values.length}; only a list takes several`,
      );
    }
    return [key, values.flat()];
  });
  return { ...(json === undefined ? {} : readObject(json)), ...Object.fromEntries(pairs) };
}

function readPair(word: string, schema: JsonObject): [key: string, value: JsonValue] {
  const equals = word.indexOf('=');
  const isJson = equals > 0 && word[equals - 1] === ':';
  const key = word.slice(0, isJson ? equals - 1 : Math.max(equals, 0));
  if (key === '') {
    throw new Misuse(`expected key=value or key:=json, got "${word}"`);
  }
  const text = word.slice(equals + 1);
  if (isJson) return [key, parseJson(`${key}:=`, text)];
  const properties = objectOf(schema['properties']);
  const own = Object.hasOwn(properties, key) ? properties[key] : undefined;
  return [key, valueFromText(text, own, { root: schema, untyped: 'literal' })];
}

function takesList(schema: JsonObject): boolean {
  const { type } = schema;
  return type === undefined || type === 'array' || (Array.isArray(type) && type.includes('array'));
}

function readObject(json: string): JsonObject {
  const value = parseJson('--json', json);
  if (isObject(value)) return value;
  throw new Misuse(`--json: expected an object, got ${json}`);
}

function parseJson(name: string, text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Misuse(`${name}: expected JSON, got ${text}: ${reason}`);
  }
}
