import type { JsonObject, JsonValue } from '@holdfast/core';
import { writeExactJson } from '@holdfast/core/check';
import { InvalidOptionError, renderToolCall, ToolRenderError } from '@holdfast/core/parse';
import { isObject, listOf, objectOf, textOf } from '../json/json-fields.ts';
import { readJsonObject } from '../json/read-json-object.ts';

/** A call of an earlier turn, as far as it can be made out. */
export interface EarlierCall {
  readonly id: string;
  readonly name: string;
  /** An object; text where it cannot be read as one. */
  readonly arguments: JsonValue;
}

/** The calls of an assistant message, the older `function_call` too. */
export function callsOf(message: JsonObject): readonly EarlierCall[] {
  const { tool_calls: calls, function_call: older } = message;
  const all = listOf(calls).map((call) => readCall(objectOf(call)));
  return isObject(older) ? [...all, readCall({ function: older })] : all;
}

function readCall({ id, function: called, custom }: JsonObject): EarlierCall {
  const { name, arguments: args } = objectOf(called);
  if (isObject(custom))
    // A custom tool takes free text; as a function it has one parameter for it.
    return {
      id: textOf(id),
      name: nameOf(custom['name']),
      arguments: { input: textOf(custom['input']) },
    };
  return { id: textOf(id), name: nameOf(name), arguments: readArguments(args) };
}

/** A name that every dialect takes: not empty, and without space around it. */
export function nameOf(value: JsonValue | undefined): string {
  return textOf(value).trim() || 'unknown';
}

function readArguments(args: JsonValue | undefined): JsonValue {
  if (typeof args !== 'string') return args ?? {};
  return args.trim() === '' ? {} : (readJsonObject(args) ?? args);
}

/**
 * Calls made at once, as the model wrote or would have written them. What the dialect cannot say is written as
 * plain JSON: it happened, and the model has to know.
 */
export function replayCalls(calls: readonly EarlierCall[], format: string): string {
  const together = tryToWrite(calls, format);
  if (together !== undefined) return together;
  return calls.map((call) => tryToWrite([call], format) ?? plainCall(call)).join('\n');
}

function tryToWrite(calls: readonly EarlierCall[], format: string): string | undefined {
  const written = calls.flatMap(({ id, name, arguments: args }) =>
    isObject(args) ? [{ ...(id !== '' && { id }), name, arguments: args }] : [],
  );
  if (written.length < calls.length) return undefined;
  try {
    return renderToolCall(written, format);
  } catch (error) {
    if (error instanceof ToolRenderError || error instanceof InvalidOptionError) return undefined;
    throw error;
  }
}

function plainCall({ name, arguments: args }: EarlierCall): string {
  return writeExactJson({ name, arguments: args });
}
