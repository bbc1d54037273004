import { isJsonObject } from '../../parse/call-keys.ts';
import { parseJson } from '../../parse/json/parse-json.ts';
import type { JsonObject, Repair } from '../../types.ts';

/** Arguments that were read, with what had to be mended. */
export interface ReadArguments {
  readonly value: JsonObject;
  /** The text of `value`, where that is valid JSON. */
  readonly text?: string;
  readonly repairs: readonly Repair[];
}

const NO_ARGUMENTS: ReadArguments = { value: {}, repairs: [] };

/**
 * Reads the arguments of a call that a server told. Nothing at all is `{}`, as models write it for tools that
 * take none. Undefined for what is cut off, or guesswork, or no object.
 */
export function readArguments(json: string): ReadArguments | undefined {
  if (json.trim() === '') return NO_ARGUMENTS;
  const read = parseJson(json);
  if (!read.ok || !read.complete || read.lossy) return undefined;
  const { value, repairs } = read;
  if (value === null) return NO_ARGUMENTS;
  if (isJsonObject(value)) return { value, repairs, ...(repairs.length === 0 && { text: json }) };
  // Encoded twice: `"{\"a\": 1}"`.
  if (typeof value !== 'string') return undefined;
  const inner = parseJson(value);
  if (!inner.ok || !inner.complete || inner.lossy || !isJsonObject(inner.value)) return undefined;
  return {
    value: inner.value,
    repairs: [...repairs, 'double-encoded', ...inner.repairs],
    ...(inner.repairs.length === 0 && { text: value }),
  };
}
