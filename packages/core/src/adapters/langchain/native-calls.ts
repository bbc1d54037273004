import { isRecord, recordsIn } from '../../advise/conversation/record.ts';
import type { UnknownRecord } from '../../advise/conversation/record.ts';
import type { JsonObject, JsonValue } from '../../types.ts';
import { ChatCallFragments } from '../openai/chat/chat-call-fragments.ts';
import type { FragmentedCall } from '../openai/chat/chat-call-fragments.ts';
import { readArguments } from '../reading/read-arguments.ts';
import { jsonTextOf } from '../wire/json-fields.ts';
import type { LcMessage } from './lc-message.ts';

/** Adds a piece of a call, as integrations tell it, to those before it. */
export function addFragment(calls: ChatCallFragments, fragment: UnknownRecord): void {
  const { index, id, name, args, type: _type, ...others } = fragment;
  calls.read([{ ...others, index, id, function: { name, arguments: args } } as JsonObject]);
}

/**
 * The calls that an integration tells in a message. Of one that it put together from a stream, what was
 * streamed is read: LangChain makes a call of half of its arguments.
 */
export function nativeCallsOf(message: LcMessage): readonly FragmentedCall[] {
  const fragments = recordsIn(message['tool_call_chunks']);
  if (fragments.length === 0) return wholeCallsOf(message);
  const calls = new ChatCallFragments();
  for (const fragment of fragments) if (!isForeign(fragment)) addFragment(calls, fragment);
  return calls.calls;
}

/**
 * The calls of an answer of OpenAI's Responses, which ends with all of it: what was streamed may be less, where a
 * server leaves events out.
 */
export function itemCallsIn(told: unknown): readonly FragmentedCall[] {
  const items = recordsIn(isRecord(told) ? told['output'] : undefined);
  const calls = items.filter(({ type }) => type === 'function_call');
  return calls.map(({ call_id: id, name, arguments: args }) => wholeCall({ id, name, args }));
}

/** Whether a call that was streamed is cut. Without arguments one that was cut looks like one that has none. */
export function isCutOff({ json }: FragmentedCall): boolean {
  return json.trim() === '' || readArguments(json) === undefined;
}

/** Pieces of a call whose arguments are no JSON: of OpenAI's custom tools. They pass as they are. */
export function isForeign(fragment: UnknownRecord): boolean {
  return fragment['isCustomTool'] === true;
}

/** The calls that a message has in one piece, those that LangChain could not read too. */
export function wholeCallsOf(message: LcMessage): readonly FragmentedCall[] {
  const { tool_calls: calls, invalid_tool_calls: invalid } = message;
  return [...recordsIn(calls), ...recordsIn(invalid)].map(wholeCall);
}

function wholeCall(call: UnknownRecord): FragmentedCall {
  const { id, name, args, type: _type, error: _error, ...fields } = call;
  return {
    id: typeof id === 'string' ? id : '',
    name: typeof name === 'string' ? name : '',
    json: jsonTextOf(args as JsonValue | undefined),
    fields: fields as JsonObject,
  };
}
