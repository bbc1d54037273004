import type { JsonObject, JsonValue } from '@holdfast/core';
import { parseExactJson } from '@holdfast/core/check';
import { isObject } from './json-fields.ts';
import { jsonExcess } from './json-meter.ts';
import { keepWritten } from './written-json.ts';

/**
 * What an upstream sent, read as a JSON object; undefined for anything else. What is nested too deep is
 * refused as well: it can be read, but writing it again would overflow the stack.
 */
export function readJsonObject(text: string): JsonObject | undefined {
  if (jsonExcess(text, Infinity, DEEPEST) !== undefined) return undefined;
  try {
    return toJsonObject(text, parseExactJson(text));
  } catch {
    return undefined;
  }
}

/** A value as the JSON object that its text is; undefined for anything else. */
export function toJsonObject(text: string, value: JsonValue): JsonObject | undefined {
  if (!isObject(value)) return undefined;
  keepWritten(text, value);
  return value;
}

/** The schemas and arguments of real tools stay far below. */
export const DEEPEST = 256;
