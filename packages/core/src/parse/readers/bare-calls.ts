import type { JsonObject, JsonValue, Repair } from '../../types.ts';
import { ARGUMENT_KEYS, isJsonObject, NAME_KEYS, ownKey } from '../call-keys.ts';
import { readCalls } from '../call-shape.ts';
import type { RawCall, ReadContext } from '../format.ts';
import type { BareJson } from './bare-json-formats.ts';
import {
  beginsLikeCall,
  PLAIN_ABOUT_KEYS,
  PLAIN_ARGUMENT_KEYS,
  PLAIN_NAME_KEYS,
} from './call-beginning.ts';
import type { JsonBodyOptions } from './json-body-options.ts';

/** Repairs that say nothing against what was read. */
const MARKUP_REPAIRS: ReadonlySet<Repair> = new Set([
  'code-fence',
  'missing-end-marker',
  'double-encoded',
]);

/**
 * What makes JSON without markers a call. The name of a tool that was offered is evidence wherever it
 * stands; without one it takes valid JSON with a name and arguments and nothing else, that is no part of
 * other JSON, of code or of a quotation.
 */
function bareCalls(context: ReadContext): JsonBodyOptions {
  const { tools, before } = context;
  const isKnown = (name: string): boolean => tools?.resolve(name) !== undefined;
  const shape = (value: JsonValue, maxDepth: number): readonly RawCall[] | string => {
    const items = Array.isArray(value) ? (value as readonly JsonValue[]) : [value];
    if (isQuoted(before)) return 'it is quoted';
    const takesNone = (name: string): boolean => isKnown(name) && takesNoArguments(context, name);
    if (!items.every((item) => isCall(item, isKnown, takesNone))) return 'it is JSON, but no call';
    return readCalls(value, maxDepth);
  };
  const refuses = (calls: readonly RawCall[]): string | undefined => {
    if (calls.every(({ name }) => isKnown(name))) return undefined;
    if (isInside(before)) return 'it is part of something else';
    const isMended = calls.some((call) => call.repairs.some((one) => !MARKUP_REPAIRS.has(one)));
    return isMended ? 'it is no valid JSON, and names no tool that was offered' : undefined;
  };
  return {
    shape,
    refuses,
    // Data with a name is no call that failed.
    resembles: () => false,
    // Without a tool's name nothing is certain before the end.
    tellsEarly: tools !== undefined && !isQuoted(before),
    takesExtra: !isInside(before),
    // The opening tag may have stood in the prompt.
    otherEndMarkers: ['</tool_call>'],
  };
}

function isCall(
  item: JsonValue,
  isKnown: (name: string) => boolean,
  takesNone: (name: string) => boolean,
): boolean {
  if (!isJsonObject(item)) return false;
  const inner = item['function'];
  const object = isJsonObject(inner) ? inner : item;
  const name = stringAt(object, NAME_KEYS);
  if (name === undefined) return false;
  const key = ownKey(object, ARGUMENT_KEYS);
  if (key === undefined) return takesNone(name);
  // The definition of a tool that takes nothing; `parameters` around a call are not left empty.
  if (object === inner && key === 'parameters' && isEmpty(object[key])) return false;
  return isKnown(name) || isPlainCall(object);
}

function isEmpty(value: JsonValue | undefined): boolean {
  return isJsonObject(value) && Object.keys(value).length === 0;
}

/** A name, arguments, and nothing that a call does not have. */
function isPlainCall(object: JsonObject): boolean {
  const name = ownKey(object, PLAIN_NAME_KEYS);
  const args = ownKey(object, PLAIN_ARGUMENT_KEYS);
  if (name === undefined || args === undefined) return false;
  const about: readonly string[] = PLAIN_ABOUT_KEYS;
  return Object.keys(object).every((key) => key === name || key === args || about.includes(key));
}

function stringAt(object: JsonObject, keys: readonly string[]): string | undefined {
  const key = ownKey(object, keys);
  const value = key === undefined ? undefined : object[key];
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

function takesNoArguments(context: ReadContext, name: string): boolean {
  const properties = context.tools?.parametersOf(name)?.['properties'];
  return !isJsonObject(properties) || Object.keys(properties).length === 0;
}

/** Behind a quotation mark or the backtick of code in a sentence; two backticks end a fence. */
function isQuoted(before: string): boolean {
  const last = before.at(-1) ?? '';
  return last === '`' ? before !== '``' : last !== '' && QUOTES.includes(last);
}

const QUOTES = '"\'“‘«';

/** Behind what opens or separates parts of JSON or code. */
function isInside(before: string): boolean {
  const last = before.at(-1) ?? '';
  if (last === ':') return QUOTES.includes(before.charAt(0)) && before.length === 2;
  return last !== '' && '[{(,='.includes(last);
}

/** Calls that nothing but their shape and their names tell from data. */
export const BARE_CALLS: BareJson = {
  firstKeys: new Set([...NAME_KEYS, ...ARGUMENT_KEYS, 'type', 'id']),
  valueStarts: '"\'“‘`{0123456789',
  options: bareCalls,
  looksOn: beginsLikeCall,
};
