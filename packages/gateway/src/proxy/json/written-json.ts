import type { JsonObject, JsonValue } from '@holdfast/core';
import { writeExactJson } from '@holdfast/core/check';
import { locateInJson } from '@holdfast/core/parse';
import { isObject } from './json-fields.ts';

/** The text of arguments that an upstream sent as an object. */
const WRITTEN = new WeakMap<JsonObject, string>();

const KEYS: ReadonlySet<string> = new Set(['arguments', 'input', 'partial_json']);
const HAS_ARGUMENTS = /"(?:arguments|input|partial_json)"\s*:\s*\{\s*"/;
/** From the answer down to the arguments: `choices`, an item, `message`, `tool_calls`, an item, `function`. */
const MAX_LEVELS = 8;

/** Keeps the text of the arguments in an answer, where they are objects: `writtenJson` returns it. */
export function keepWritten(text: string, value: JsonObject): void {
  if (!HAS_ARGUMENTS.test(text)) return;
  const found: JsonObject[] = [];
  collectArguments(value, MAX_LEVELS, found);
  for (const [object, range] of locateInJson(text, value, found))
    if (range !== undefined) WRITTEN.set(object, text.slice(range.start, range.end));
}

/** The JSON of a value: as the upstream wrote it, where that is known. */
export function writtenJson(value: JsonValue): string {
  return (isObject(value) ? WRITTEN.get(value) : undefined) ?? writeExactJson(value);
}

function collectArguments(value: JsonValue, levels: number, found: JsonObject[]): void {
  if (levels === 0 || typeof value !== 'object' || value === null) return;
  for (const [key, member] of Object.entries<JsonValue>(value)) {
    if (KEYS.has(key) && isObject(member)) found.push(member);
    else collectArguments(member, levels - 1, found);
  }
}
