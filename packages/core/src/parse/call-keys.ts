import type { JsonValue } from '../types.ts';

/** The spellings models use for the two parts of a call, the usual one first. */
export const NAME_KEYS = [
  'name',
  'tool',
  'tool_name',
  'function',
  'function_name',
  'toolName',
] as const;
export const ARGUMENT_KEYS = [
  'arguments',
  'args',
  'parameters',
  'input',
  'params',
  'tool_input',
] as const;

/** Keys for a name and for arguments that only an offered tool makes believable. */
export const OFFERED_NAME_KEYS: readonly string[] = [
  ...NAME_KEYS,
  'action',
  'tool_call',
  'recipient_name',
];
export const OFFERED_ARGUMENT_KEYS: readonly string[] = [
  ...ARGUMENT_KEYS,
  'action_input',
  'tool_args',
  'function_args',
];
/** What holds calls. */
export const OFFERED_LIST_KEYS: readonly string[] = ['tool_uses', 'tool_calls', 'content'];
export function isJsonObject(
  value: JsonValue | undefined,
): value is Readonly<Record<string, JsonValue>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The first of `keys` that `object` has as its own. */
export function ownKey(
  object: Readonly<Record<string, JsonValue>>,
  keys: readonly string[],
): string | undefined {
  for (const key of keys) {
    // Looking the value up first is far cheaper than asking whether the key is there.
    if (object[key] !== undefined && Object.hasOwn(object, key)) return key;
  }
  return undefined;
}

const ID_KEYS = ['id', 'call_id', 'tool_call_id'] as const;

/** The id the model gave the call, if it gave one. */
export function readId(object: Readonly<Record<string, JsonValue>>): string | undefined {
  const key = ownKey(object, ID_KEYS);
  const id = key === undefined ? undefined : object[key];
  return typeof id === 'string' && id !== '' ? id : undefined;
}

/** Whether a value, as far as it was read, names something. */
export function hasName(value: JsonValue | undefined): boolean {
  return isJsonObject(value) && ownKey(value, NAME_KEYS) !== undefined;
}

/** Whether arguments were written, as an object or in a string. */
export function hasArguments(value: JsonValue | undefined): boolean {
  return isJsonObject(value) && ownKey(value, ARGUMENT_KEYS) !== undefined;
}
