import type { JsonValue, Repair } from '../../types.ts';
import { ARGUMENT_KEYS, isJsonObject, ownKey } from '../call-keys.ts';
import { parseJson } from './parse-json.ts';
import { parseStrict } from './parse-strict.ts';

export interface Unwrapped {
  readonly value: JsonValue;
  /** Its text, where that is valid JSON. */
  readonly json?: string;
  readonly repairs: readonly Repair[];
  readonly complete: boolean;
  readonly lossy: boolean;
}

const DOUBLE_ENCODED: readonly Repair[] = ['double-encoded'];

/** How often a call may be wrapped in a string before it is taken for a string. */
export const MAX_WRAPPINGS = 3;

/**
 * Takes a call, or its arguments, out of the string it was written into. Strings in strings are taken out `wrappings`
 * times and no more: each has to be read anew, and a text may hold thousands.
 */
export function unwrapCall(
  value: JsonValue,
  maxDepth: number,
  wrappings: number = MAX_WRAPPINGS,
): Unwrapped {
  if (typeof value === 'string') {
    const outer = wrappings === 0 ? undefined : unwrapString(value, maxDepth);
    return outer === undefined
      ? untouched(value)
      : join([outer, unwrapCall(outer.value, maxDepth, wrappings - 1)]);
  }
  if (Array.isArray(value)) {
    const items = (value as readonly JsonValue[]).map((item) =>
      unwrapCall(item, maxDepth, wrappings),
    );
    if (items.every((item) => item.repairs.length === 0)) return untouched(value);
    return { ...join(items), value: items.map((item) => item.value) };
  }
  if (!isJsonObject(value)) return untouched(value);
  const key = ownKey(value, ARGUMENT_KEYS);
  const inner = key === undefined ? undefined : value[key];
  if (key === undefined || typeof inner !== 'string') return untouched(value);
  const unwrapped = unwrapString(inner, maxDepth);
  return unwrapped === undefined
    ? untouched(value)
    : { ...join([unwrapped]), value: { ...value, [key]: unwrapped.value } };
}

/** The object or list that `text` holds and nothing else, or undefined when it holds plain text. */
export function unwrapString(text: string, maxDepth: number): Unwrapped | undefined {
  const strict = /^\s*[[{]/.test(text) ? parseStrict(text, maxDepth) : 'invalid';
  if (strict === 'too-deep') return undefined;
  if (strict !== 'invalid')
    return {
      value: strict.value,
      json: text.trim(),
      repairs: DOUBLE_ENCODED,
      complete: true,
      lossy: false,
    };
  const repairs: Repair[] = ['double-encoded'];
  let value: JsonValue = text;
  let json: string | undefined;
  let complete = true;
  let lossy = false;
  for (let level = 0; level < MAX_WRAPPINGS && typeof value === 'string'; level++) {
    if (!/^\s*["'[\\{]/.test(value)) return undefined;
    const inner = parseJson(value, { maxDepth });
    if (!inner.ok || inner.repairs.includes('surrounding-text')) return undefined;
    repairs.push(...inner.repairs.filter((repair) => !repairs.includes(repair)));
    complete &&= inner.complete;
    lossy ||= inner.lossy;
    json = inner.repairs.length === 0 ? value.trim() : undefined;
    value = inner.value;
  }
  return typeof value === 'object' && value !== null
    ? { value, ...(json !== undefined && { json }), repairs, complete, lossy }
    : undefined;
}

function untouched(value: JsonValue): Unwrapped {
  return { value, repairs: [], complete: true, lossy: false };
}

/** What all of them took together, with the value of the last. */
function join(items: readonly Unwrapped[]): Unwrapped {
  return {
    value: items.at(-1)?.value ?? null,
    repairs: [...new Set(items.flatMap((item) => item.repairs))],
    complete: items.every((item) => item.complete),
    lossy: items.some((item) => item.lossy),
  };
}
