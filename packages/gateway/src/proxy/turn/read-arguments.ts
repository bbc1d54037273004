import type { JsonObject, JsonValue, Repair } from '@holdfast/core';
import { DEFAULT_LIMITS, parseJson } from '@holdfast/core/parse';
import { CONFIG_DEFAULTS } from '../../config/config-defaults.ts';
import { jsonExcess } from '../json/json-meter.ts';

/** Arguments that were read, with what had to be mended. */
export interface ReadArguments {
  readonly value: JsonObject;
  /** The text of `value`, where that is valid JSON. */
  readonly text?: string;
  readonly repairs: readonly Repair[];
}

const NO_ARGUMENTS: ReadArguments = { value: {}, repairs: [] };

/**
 * Reads the arguments of a native call. Nothing at all is `{}`, as models write it for tools that take none.
 * Returns undefined for what is cut off, or guesswork, or no object.
 */
export function readArguments(json: string): ReadArguments | undefined {
  if (json.trim() === '') return NO_ARGUMENTS;
  if (json.length > MOST_REPAIRED && !isReadable(json)) return undefined;
  const read = parseJson(json);
  if (!read.ok || !read.complete || read.lossy) return undefined;
  const { value, repairs } = read;
  if (value === null) return NO_ARGUMENTS;
  if (isObject(value)) return { value, repairs, ...(repairs.length === 0 && { text: json }) };
  // Encoded twice: `"{\"a\": 1}"`.
  if (typeof value !== 'string') return undefined;
  const inner = parseJson(value);
  if (!inner.ok || !inner.complete || inner.lossy || !isObject(inner.value)) return undefined;
  return {
    value: inner.value,
    repairs: [...repairs, 'double-encoded', ...inner.repairs],
    ...(inner.repairs.length === 0 && { text: value }),
  };
}

/** Longer arguments are not repaired, which takes a hundred times longer than to parse them. In characters. */
const MOST_REPAIRED = 524_288;

/** Whether long arguments are JSON that is not too costly to parse. */
function isReadable(json: string): boolean {
  const { maxDepth } = DEFAULT_LIMITS;
  if (jsonExcess(json, CONFIG_DEFAULTS.proxy.maxResponseBytes, maxDepth) !== undefined)
    return false;
  try {
    JSON.parse(json);
    return true;
  } catch {
    return false;
  }
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
