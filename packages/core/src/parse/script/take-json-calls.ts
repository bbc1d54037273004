import type { JsonValue } from '../../types.ts';
import { ARGUMENT_KEYS, isJsonObject, ownKey, readId } from '../call-keys.ts';
import { withArgumentsText } from '../arguments-text.ts';
import { readCalls } from '../call-shape.ts';
import type { RawCall } from '../format.ts';
import type { Declined } from './script.ts';
import type { JsonPart, ScriptInput } from './script-input.ts';

/** Takes the calls that a JSON value stands for, one or a list. */
export function takeJsonCalls(input: ScriptInput, json: JsonPart): Declined | undefined {
  const { value, repairs, items: damages } = json;
  if (value === undefined) return input.stop(json.failure || 'it is no JSON');
  if (!json.complete && !input.context.keepsIncomplete) return input.cutShort();
  const items = Array.isArray(value) ? (value as readonly JsonValue[]) : [value];
  // Of words without quotes a name can be made, but not a call.
  if (repairs.includes('unquoted-value') && !items.every(hasArguments))
    return input.stop('it is no list of calls');
  const calls = readItems(items, input.context.maxDepth);
  if (typeof calls === 'string') return input.stop(calls);
  for (const [at, call] of withArgumentsText(calls, value, json.source).entries()) {
    const draft = input.beginCall(call.name, call.id);
    draft.setAll(call);
    const damage = (damages.length === calls.length ? damages[at] : undefined) ?? json;
    for (const repair of [...damage.repairs, ...call.repairs]) draft.note(repair);
    if (damage.lossy || call.lossy || !call.complete) draft.markLossy();
    if (!json.complete && at === calls.length - 1) return input.cutShort();
    input.endCall(draft);
  }
  return undefined;
}

function readItems(items: readonly JsonValue[], maxDepth: number): RawCall[] | string {
  if (items.length === 0) return 'the list of calls is empty';
  const calls: RawCall[] = [];
  for (const item of items) {
    const read = readCalls(item, maxDepth);
    if (typeof read === 'string') return read;
    const [call, ...more] = read;
    // Nothing of these calls is told before they are whole, so that an id behind the arguments counts too.
    const id = call?.id ?? (isJsonObject(item) ? readId(item) : undefined);
    if (call !== undefined) calls.push(id === undefined ? call : { ...call, id });
    for (const each of more) calls.push(each);
  }
  return calls;
}

function hasArguments(item: JsonValue): boolean {
  return isJsonObject(item) && ownKey(item, ARGUMENT_KEYS) !== undefined;
}
