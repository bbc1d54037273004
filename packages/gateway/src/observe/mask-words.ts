import type { JsonObject, JsonValue, ToolDefinition } from '@holdfast/core';
import { REDACTED } from '../redact/redactor.ts';
import { isObject } from '../proxy/json/json-fields.ts';

const WORDS = /[\p{L}\p{N}_]+/gu;

/** Words of the markup around calls, in whatever dialect. Others are taken for a part of the arguments. */
const MARKUP: ReadonlySet<string> = new Set(
  (
    'tool tools call calls tool_call tool_calls tool_use tool_response function functions function_call ' +
    'function_calls invoke name recipient_name arguments args arg arg_key arg_value parameter parameters param ' +
    'input type id index key value begin end start stop sep channel message constrain commentary analysis final ' +
    'assistant to json xml python ipython antml think thinking action Action Input Thought TOOL_CALLS TOOL_CALL ' +
    'AVAILABLE_TOOLS object string integer number boolean array true false null None True False im_start im_end ' +
    'eot_id eom_id start_header_id end_header_id section argument tool_name tool_input parallel multi_tool_use'
  ).split(' '),
);

/** The words of which tools are described: their names, and those of their parameters. */
export function wordsOf(tools: readonly ToolDefinition[]): ReadonlySet<string> {
  const words = new Set(MARKUP);
  const add = (name: string): void => {
    for (const [word] of name.matchAll(WORDS)) words.add(word);
  };
  const addKeys = (schema: JsonValue | undefined, depth: number): void => {
    if (depth > DEEPEST) return;
    if (Array.isArray(schema)) for (const item of schema as JsonValue[]) addKeys(item, depth + 1);
    if (!isObject(schema)) return;
    const { properties } = schema;
    if (isObject(properties)) for (const key of Object.keys(properties)) add(key);
    for (const inner of Object.values(schema)) addKeys(inner, depth + 1);
  };
  for (const { name, parameters } of tools) {
    add(name);
    addKeys(parameters, 0);
  }
  return words;
}

/** Deeper than this the names of parameters are not looked for. */
const DEEPEST = 16;
/** What stands between two words of one value. */
const WITHIN_VALUE = /^[^"'`<>{}[\]()=,|｜]*$/;

/**
 * A call as it was written, with its markup and the names of its parameters, and without their values. A word that
 * nobody knows is taken for one of a value: rather too much is hidden than too little.
 */
export function maskWords(source: string, known: ReadonlySet<string>): string {
  let masked = '';
  let end = 0;
  let isHidden = false;
  for (const { 0: word, index } of source.matchAll(WORDS)) {
    const between = source.slice(end, index);
    const hides = !known.has(word);
    // One value is hidden as one, however many words it has.
    if (!(hides && isHidden && WITHIN_VALUE.test(between)))
      masked += between + (hides ? REDACTED : word);
    isHidden = hides;
    end = index + word.length;
  }
  return masked + source.slice(end);
}

/** Values by their names, and without what they are. */
export function maskValuesOf(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return (value as JsonValue[]).map(maskValuesOf);
  if (!isObject(value)) return value === null ? null : REDACTED;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, maskValuesOf(inner)]),
  ) satisfies JsonObject;
}
