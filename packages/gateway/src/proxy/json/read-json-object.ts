import type { JsonObject, JsonValue } from '@holdfast/core';
import { parseExactJson } from '@holdfast/core/check';
import { isObject } from './json-fields.ts';
import { keepWritten } from './written-json.ts';

/**
 * What an upstream sent, read as a JSON object; undefined for anything else. What is nested too deep is
 * refused as well: it can be read, but writing it again would overflow the stack.
 */
export function readJsonObject(text: string): JsonObject | undefined {
  let value: JsonValue;
  try {
    value = parseExactJson(text);
  } catch {
    return undefined;
  }
  if (!isObject(value)) return undefined;
  if (text.length > DEEPEST && isTooDeep(value, DEEPEST)) return undefined;
  keepWritten(text, value);
  return value;
}

/** The schemas and arguments of real tools stay far below. */
const DEEPEST = 256;

function isTooDeep(value: unknown, left: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return left === 0 || Object.values(value).some((inner) => isTooDeep(inner, left - 1));
}
