import type { JsonObject, JsonValue } from '../types.ts';
import type { RawCall } from './format.ts';
import { locateInJson } from './locate-in-json.ts';

/** Adds the text of their arguments to calls that were read from `value`, the value of the valid JSON `json`. */
export function withArgumentsText(
  calls: readonly RawCall[],
  value: JsonValue,
  json: string | undefined,
): readonly RawCall[] {
  if (json === undefined) return calls;
  const objects: JsonObject[] = [];
  for (const call of calls) if (call.argumentsText === undefined) objects.push(call.arguments);
  if (objects.length === 0) return calls;
  const places = locateInJson(json, value, objects);
  return calls.map((call) => {
    const place = places.get(call.arguments);
    if (place === undefined) return call;
    const { id, name, arguments: args, repairs, complete, lossy } = call;
    const argumentsText = json.slice(place.start, place.end);
    return { id, name, arguments: args, argumentsText, repairs, complete, lossy };
  });
}

/** The JSON of a call's arguments: as the model wrote it, where that is known. */
export function argumentsJson(call: {
  readonly arguments: JsonObject;
  readonly argumentsText?: string;
}): string {
  return call.argumentsText ?? JSON.stringify(call.arguments);
}
