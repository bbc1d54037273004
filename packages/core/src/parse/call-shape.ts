import type { JsonObject, JsonValue, Repair } from '../types.ts';
import { withArgumentsText } from './arguments-text.ts';
import {
  ARGUMENT_KEYS,
  hasArguments,
  isJsonObject,
  NAME_KEYS,
  ownKey,
  readId,
} from './call-keys.ts';
import type { RawCall } from './format.ts';
import type { OfferedTools } from './offered-tools.ts';
import { MAX_WRAPPINGS, unwrapString } from './json/unwrap-call.ts';

type Members = Readonly<Record<string, JsonValue>>;

/** Keys that say something about a call but are not its arguments. */
const ABOUT_KEYS: ReadonlySet<string> = new Set([
  'id',
  'type',
  'index',
  'call_id',
  'tool_call_id',
  'description',
  'strict',
]);

/**
 * The calls a body stands for: one call or a list, in any key spelling. Returns why not otherwise.
 * An empty list is no call.
 */
export function readCalls(value: JsonValue, maxDepth: number): readonly RawCall[] | string {
  return readWrapped(value, maxDepth, MAX_WRAPPINGS);
}

/** Strings in strings are taken out `wrappings` times: each is read anew, and a text may hold thousands. */
function readWrapped(
  value: JsonValue,
  maxDepth: number,
  wrappings: number,
): readonly RawCall[] | string {
  if (typeof value === 'string') {
    const unwrapped = wrappings === 0 ? undefined : unwrapString(value, maxDepth);
    if (unwrapped === undefined) return 'it is a string that holds no call';
    const calls = readWrapped(unwrapped.value, maxDepth, wrappings - 1);
    if (typeof calls === 'string') return calls;
    return withArgumentsText(calls, unwrapped.value, unwrapped.json).map((call) =>
      withRepairs(call, unwrapped.repairs),
    );
  }
  if (Array.isArray(value)) return readList(value as readonly JsonValue[], maxDepth, wrappings);
  if (!isJsonObject(value))
    return `expected an object with a name and arguments, got ${describe(value)}`;
  return readObject(value, maxDepth, wrappings);
}

/**
 * As `readCalls`, for formats that always write the arguments out: what has none is data, unless the text
 * ended in it.
 */
export function readCallsWithArguments(
  value: JsonValue,
  maxDepth: number,
  isCut = false,
): readonly RawCall[] | string {
  const items = Array.isArray(value) ? (value as readonly JsonValue[]) : [value];
  const isWhole = (item: JsonValue, at: number): boolean =>
    !isJsonObject(item) || hasWrittenArguments(item) || (isCut && at === items.length - 1);
  return items.every(isWhole) ? readCalls(value, maxDepth) : 'it has no arguments';
}

/** As `readCallsWithArguments`, but items of a list that are no calls are passed over. */
export function readGoodCalls(
  value: JsonValue,
  maxDepth: number,
  isCut = false,
): readonly RawCall[] | string {
  const items = Array.isArray(value) ? (value as readonly JsonValue[]) : [value];
  const read = items.map((item, at) =>
    readCallsWithArguments(item, maxDepth, isCut && at === items.length - 1),
  );
  const calls = read.flatMap((one) => (typeof one === 'string' ? [] : one));
  if (calls.length > 0) return calls;
  return read.find((one) => typeof one === 'string') ?? 'the list of calls is empty';
}

/** Whether a call was written with arguments, or holds calls of its own. */
export function hasWrittenArguments(object: JsonValue): boolean {
  if (!isJsonObject(object)) return false;
  const isHeld = ownKey(object, ['tool_calls', 'function_call', 'tool_call']) !== undefined;
  return isHeld || hasArguments(object) || hasArguments(object['function']);
}

function readList(
  items: readonly JsonValue[],
  maxDepth: number,
  wrappings: number,
): readonly RawCall[] | string {
  if (items.length === 0) return 'the list of calls is empty';
  const calls: RawCall[] = [];
  for (const item of items) {
    const read = readWrapped(item, maxDepth, wrappings);
    if (typeof read === 'string') return read;
    for (const call of read) calls.push(call);
  }
  return calls;
}

function readObject(
  object: Members,
  maxDepth: number,
  wrappings: number,
): readonly RawCall[] | string {
  const list = object['tool_calls'];
  if (Array.isArray(list)) return readList(list as readonly JsonValue[], maxDepth, wrappings);
  const single = object['function_call'] ?? object['tool_call'];
  if (isJsonObject(single)) return readObject(single, maxDepth, wrappings);
  const inner = object['function'];
  if (isJsonObject(inner)) return readCall(inner, idBefore(object, ['function']), maxDepth);
  return readCall(object, undefined, maxDepth);
}

function readCall(
  object: Members,
  outerId: string | undefined,
  maxDepth: number,
): readonly RawCall[] | string {
  const nameKey = ownKey(object, NAME_KEYS);
  const name = nameKey === undefined ? undefined : object[nameKey];
  if (typeof name !== 'string' || name.trim() === '') return 'it names no tool';
  if (isDefinition(object))
    return `it describes the tool ${JSON.stringify(name)} rather than calling it`;
  const read = readArguments(object, maxDepth);
  if (typeof read === 'string') return read;
  const id = idBefore(object, ARGUMENT_KEYS) ?? outerId;
  const { arguments: args, repairs, complete, lossy, argumentsText } = read;
  return [{ id, name: name.trim(), arguments: args, argumentsText, repairs, complete, lossy }];
}

/**
 * The id, if it was written before the arguments. A stream tells a call's id when its arguments begin, so
 * an id that comes later cannot count, or a text would read differently whole.
 */
function idBefore(object: Members, argumentKeys: readonly string[]): string | undefined {
  const id = readId(object);
  if (id === undefined) return undefined;
  for (const key in object) {
    if (object[key] === id) return id;
    if (argumentKeys.includes(key)) return undefined;
  }
  return id;
}

/**
 * The calls with the ids that were written behind their arguments too, for formats of which no call is told
 * before all of it is read. `items` are what the calls were read from, one each.
 */
export function withLateIds(
  calls: readonly RawCall[],
  items: readonly JsonValue[],
): readonly RawCall[] {
  if (items.length !== calls.length) return calls;
  return calls.map((call, at) => {
    const item = items[at];
    if (call.id !== undefined || !isJsonObject(item)) return call;
    const inner = item['function'];
    const id = readId(item) ?? (isJsonObject(inner) ? readId(inner) : undefined);
    return id === undefined ? call : { ...call, id };
  });
}

type ReadArguments = Omit<RawCall, 'name' | 'id'>;

function readArguments(object: Members, maxDepth: number): ReadArguments | string {
  const key = ownKey(object, ARGUMENT_KEYS);
  if (key === undefined) return readFlatArguments(object);
  const value = object[key];
  if (value === undefined || value === null) return whole({}, []);
  if (typeof value === 'string') return readStringArguments(value, maxDepth);
  if (!isJsonObject(value)) return `expected the arguments to be an object, got ${describe(value)}`;
  return whole(value, []);
}

function readStringArguments(text: string, maxDepth: number): ReadArguments | string {
  if (text.trim() === '') return whole({}, []);
  const unwrapped = unwrapString(text, maxDepth);
  if (unwrapped === undefined || !isJsonObject(unwrapped.value)) {
    return `expected the arguments to be an object, got the string ${JSON.stringify(text.slice(0, 40))}`;
  }
  const { value, json, ...about } = unwrapped;
  return { ...about, arguments: value, ...(json !== undefined && { argumentsText: json }) };
}

/** `{"name": "f", "city": "Paris"}`: the arguments stand beside the name. */
function readFlatArguments(object: Members): ReadArguments {
  const nameKey = ownKey(object, NAME_KEYS);
  const rest = Object.entries(object).filter(([key]) => key !== nameKey && !ABOUT_KEYS.has(key));
  if (rest.length === 0) return whole({}, []);
  return { ...whole(Object.fromEntries(rest), ['flat-arguments']), lossy: true };
}

/** Arguments beside the name are no guess where they are the parameters of an offered tool. */
export function proveFlatArguments(
  calls: readonly RawCall[],
  tools: OfferedTools | undefined,
): readonly RawCall[] {
  if (tools === undefined || !calls.some(({ lossy }) => lossy)) return calls;
  return calls.map((call) => {
    const isFlat = call.lossy && call.repairs.includes('flat-arguments');
    const isProven = isFlat && tools.misfit(call.name, call.arguments) === undefined;
    return isProven ? { ...call, lossy: false } : call;
  });
}

/** An entry of the tool list that the prompt shows the model, which models echo. */
export function isDefinition(object: Members): boolean {
  if (
    object['arguments'] !== undefined ||
    object['args'] !== undefined ||
    object['input'] !== undefined
  ) {
    return false;
  }
  const parameters = object['parameters'] ?? object['input_schema'] ?? object['inputSchema'];
  if (isJsonObject(parameters) && isJsonObject(parameters['properties'])) return true;
  return typeof object['description'] === 'string' && !isFilled(parameters);
}

function isFilled(parameters: JsonValue | undefined): boolean {
  return (
    isJsonObject(parameters) &&
    parameters['type'] !== 'object' &&
    Object.keys(parameters).length > 0
  );
}

function whole(args: JsonObject, repairs: readonly Repair[]): ReadArguments {
  return { arguments: args, repairs, complete: true, lossy: false };
}

export function withRepairs(call: RawCall, repairs: readonly Repair[]): RawCall {
  if (repairs.length === 0) return call;
  const more = call.repairs.filter((repair) => !repairs.includes(repair));
  return { ...call, repairs: [...repairs, ...more] };
}

function describe(value: JsonValue): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`;
}
