import type { JsonObject, JsonValue } from '../types.ts';
import type { RawCall } from './format.ts';
import { locateInJson, locateObject } from './locate-in-json.ts';
import type { TextRange } from './locate-in-json.ts';

/** Adds the text of their arguments to calls that were read from `value`, the value of the valid JSON `json`. */
export function withArgumentsText(
  calls: readonly RawCall[],
  value: JsonValue,
  json: string | undefined,
): readonly RawCall[] {
  if (json === undefined) return calls;
  const [first] = calls;
  if (first === undefined) return calls;
  if (calls.length === 1) {
    if (first.argumentsText !== undefined) return calls;
    const range = locateObject(json, value, first.arguments);
    if (range === undefined) return calls;
    // The call was made from `value` just now; making another one would cost more than finding its text.
    const call: { -readonly [Key in keyof RawCall]: RawCall[Key] } = first;
    call.argumentsText = json.slice(range.start, range.end);
    return calls;
  }
  const objects: JsonObject[] = [];
  for (const call of calls) if (call.argumentsText === undefined) objects.push(call.arguments);
  if (objects.length === 0) return calls;
  const places = locateInJson(json, value, objects);
  return calls.map((call) => {
    const range = places.get(call.arguments);
    return range === undefined ? call : withText(call, json, range);
  });
}

function withText(call: RawCall, json: string, { start, end }: TextRange): RawCall {
  const { id, name, arguments: args, repairs, complete, lossy } = call;
  return {
    id,
    name,
    arguments: args,
    argumentsText: json.slice(start, end),
    repairs,
    complete,
    lossy,
  };
}

/** The JSON of a call's arguments: as the model wrote it, where that is known. */
export function argumentsJson(call: {
  readonly arguments: JsonObject;
  readonly argumentsText?: string;
}): string {
  return call.argumentsText ?? JSON.stringify(call.arguments);
}
