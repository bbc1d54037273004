import type { JsonObject, JsonValue } from '../../types.ts';
import {
  isJsonObject,
  OFFERED_ARGUMENT_KEYS,
  OFFERED_LIST_KEYS,
  OFFERED_NAME_KEYS,
  ownKey,
  readId,
} from '../call-keys.ts';
import { isDefinition, readCalls, withRepairs } from '../call-shape.ts';
import type { RawCall } from '../format.ts';
import { unwrapString } from '../json/unwrap-call.ts';
import type { OfferedTools } from '../offered-tools.ts';

/** What may stand beside arguments that are not in an object of their own. */
const ABOUT_KEYS: ReadonlySet<string> = new Set(['id', 'type', 'index', 'call_id', 'tool_call_id']);

export interface OfferedShapes {
  readonly tools: OfferedTools;
  readonly maxDepth: number;
  /** Reads a text that may be calls. */
  readonly readText: (text: string) => readonly RawCall[] | string;
}

const NO_CALL = 'it is JSON, but no call of an offered tool';

/** The calls of offered tools that a JSON value means, in any shape; otherwise the reason why it means none. */
export function readOfferedCalls(
  value: JsonValue,
  shapes: OfferedShapes,
): readonly RawCall[] | string {
  if (typeof value === 'string') return shapes.readText(value);
  if (Array.isArray(value)) return readList(value as readonly JsonValue[], shapes);
  return isJsonObject(value) ? readObject(value, shapes) : NO_CALL;
}

function readList(items: readonly JsonValue[], shapes: OfferedShapes): readonly RawCall[] | string {
  if (items.length === 0) return NO_CALL;
  const calls: RawCall[] = [];
  for (const item of items) {
    const read = readPair(item, shapes) ?? readOfferedCalls(item, shapes);
    if (typeof read === 'string') return read;
    for (const call of read) calls.push(call);
  }
  return calls;
}

/** `('f', {…})`. */
function readPair(item: JsonValue, shapes: OfferedShapes): readonly RawCall[] | string | undefined {
  if (!Array.isArray(item) || item.length !== 2) return undefined;
  const [name, args] = item as readonly JsonValue[];
  if (typeof name !== 'string' || !isJsonObject(args)) return undefined;
  return callOf(name, args, undefined, shapes);
}

function readObject(object: JsonObject, shapes: OfferedShapes): readonly RawCall[] | string {
  const { tools, maxDepth } = shapes;
  const inner = object['function'] ?? object['function_call'] ?? object['tool_call'];
  if (isJsonObject(inner)) return readObject(inner, shapes);
  if (isDefinition(object)) return NO_CALL;
  const named = OFFERED_NAME_KEYS.flatMap((key) => {
    const name = Object.hasOwn(object, key) ? object[key] : undefined;
    return typeof name === 'string' && tools.resolve(name) !== undefined ? [{ key, name }] : [];
  })[0];
  if (named !== undefined) {
    const { name } = named;
    const key = ownKey(object, OFFERED_ARGUMENT_KEYS);
    const id = readId(object);
    if (key !== undefined) return callOf(name, object[key] ?? {}, id, shapes);
    const flat = flatArguments(object, named.key, name, tools);
    return flat === undefined ? NO_CALL : callOf(name, flat, id, shapes, true);
  }
  const keys = Object.keys(object);
  const [only = ''] = keys;
  if (keys.length === 1 && tools.resolve(only) !== undefined) {
    const calls = callOf(only, object[only] ?? {}, undefined, shapes);
    if (typeof calls === 'string') return calls;
    return calls.find((call) => tools.misfit(call.name, call.arguments) !== undefined) === undefined
      ? calls
      : NO_CALL;
  }
  const held = OFFERED_LIST_KEYS.find((key) => Object.hasOwn(object, key));
  if (held === undefined) return NO_CALL;
  const value = object[held] ?? null;
  const unwrapped = typeof value === 'string' ? unwrapString(value, maxDepth) : undefined;
  const calls = readOfferedCalls(unwrapped?.value ?? value, shapes);
  return typeof calls === 'string' || unwrapped === undefined
    ? calls
    : calls.map((call) => withRepairs(call, unwrapped.repairs));
}

/** `{"name": "f", "a": 1}`: the other members, if all of them are arguments. */
function flatArguments(
  object: JsonObject,
  nameKey: string,
  name: string,
  tools: OfferedTools,
): JsonObject | undefined {
  const entries = Object.entries(object).filter(
    ([key]) => key !== nameKey && (tools.hasParameter(name, key) || !ABOUT_KEYS.has(key)),
  );
  const args = Object.fromEntries(entries);
  return entries.length > 0 && tools.misfit(name, args) === undefined ? args : undefined;
}

function callOf(
  written: string,
  args: JsonValue,
  id: string | undefined,
  { tools, maxDepth }: OfferedShapes,
  isFlat = false,
): readonly RawCall[] | string {
  const name = tools.resolve(written);
  if (name === undefined) return NO_CALL;
  // Text that is no JSON is the one parameter of a tool that has one.
  const parameter = typeof args === 'string' ? tools.onlyParameterOf(name) : undefined;
  const isText = typeof args === 'string' && args !== '' && !/^\s*[{"]/.test(args);
  const object = isText && parameter !== undefined ? { [parameter]: args } : args;
  const read = readCalls({ name, arguments: object }, maxDepth);
  if (typeof read === 'string') return read;
  const repairs = isFlat ? (['flat-arguments'] as const) : [];
  return read.map((call) => ({
    ...withRepairs(call, repairs),
    name: written,
    ...(id === undefined ? {} : { id }),
  }));
}
