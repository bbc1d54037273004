import type { JsonObject } from '@holdfast/core';
import { readResponse, readResponsesStream } from './read-told-responses.ts';
import type { Protocol } from './scripted-model.ts';

/** What a client is told of a turn, whatever protocol it speaks. */
export interface Told {
  readonly text: string;
  readonly calls: readonly { readonly name: string; readonly arguments: JsonObject }[];
  /** In the protocol's own word; undefined where none is told. */
  readonly finish: string | undefined;
  /** The stream ended as the protocol says. A whole answer always does. */
  readonly isDone: boolean;
  /** The protocol's own error, in a stream or as the answer. */
  readonly error: { readonly type?: string; readonly message: string } | undefined;
}

interface ChatCall {
  readonly function: { readonly name?: string; readonly arguments?: string };
  readonly index?: number;
}

interface ChatPart {
  readonly content?: string | null;
  readonly tool_calls?: readonly ChatCall[];
}

interface ChatBody {
  readonly error?: Told['error'];
  readonly choices?: readonly {
    readonly delta?: ChatPart;
    readonly message?: ChatPart;
    readonly finish_reason?: string | null;
  }[];
}

interface MessagesBlock {
  readonly type: string;
  readonly text?: string;
  readonly name?: string;
  readonly input?: JsonObject;
}

interface MessagesBody {
  readonly type: string;
  readonly error?: Told['error'];
  readonly index?: number;
  readonly content?: readonly MessagesBlock[];
  readonly stop_reason?: string | null;
  readonly content_block?: MessagesBlock;
  readonly delta?: {
    readonly text?: string;
    readonly partial_json?: string;
    readonly stop_reason?: string | null;
  };
}

const NOTHING: Told = {
  text: '',
  calls: [],
  finish: undefined,
  isDone: false,
  error: undefined,
};

/** Reads a stream as its protocol defines it, with nothing tolerated: what is wrong throws. */
export function readToldStream(protocol: Protocol, body: string): Told {
  const events = body
    .split('\n\n')
    .map((event) => event.split('\n').filter((line) => line !== '' && !line.startsWith(':')))
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.find((line) => line.startsWith('data: '))!.slice('data: '.length));
  if (protocol === 'responses') return readResponsesStream(events);
  return protocol === 'chat' ? readChatStream(events) : readMessagesStream(events);
}

/** Reads a whole answer, or the error in its place. */
export function readToldBody(protocol: Protocol, body: string): Told {
  if (protocol === 'responses') return readResponse(body);
  if (protocol === 'chat') {
    const { choices, error } = JSON.parse(body) as ChatBody;
    const { message, finish_reason: finish } = choices?.[0] ?? {};
    const calls = (message?.tool_calls ?? []).map(({ function: { name, arguments: json } }) => ({
      name: name!,
      arguments: JSON.parse(json!) as JsonObject,
    }));
    return {
      text: message?.content ?? '',
      calls,
      finish: finish ?? undefined,
      isDone: true,
      error,
    };
  }
  const { content = [], stop_reason: finish, error } = JSON.parse(body) as MessagesBody;
  const calls = content.flatMap(({ type, name, input }) =>
    type === 'tool_use' ? [{ name: name!, arguments: input! }] : [],
  );
  const text = content.map((block) => block.text ?? '').join('');
  return { text, calls, finish: finish ?? undefined, isDone: true, error };
}

function readChatStream(events: readonly string[]): Told {
  let told = NOTHING;
  const calls: { name: string; json: string }[] = [];
  for (const data of events) {
    if (data === '[DONE]') {
      told = { ...told, isDone: true };
      continue;
    }
    const { choices, error } = JSON.parse(data) as ChatBody;
    const { delta, finish_reason: finish } = choices?.[0] ?? {};
    for (const { index, function: part } of delta?.tool_calls ?? []) {
      if (index === calls.length) calls.push({ name: part.name!, json: '' });
      calls[index!]!.json += part.arguments ?? '';
    }
    told = {
      ...told,
      text: told.text + (delta?.content ?? ''),
      finish: finish ?? told.finish,
      error: error ?? told.error,
    };
  }
  return { ...told, calls: calls.map(toCall) };
}

function readMessagesStream(events: readonly string[]): Told {
  let told = NOTHING;
  const calls: { name: string; json: string }[] = [];
  for (const data of events) {
    const event = JSON.parse(data) as MessagesBody;
    const { type, content_block: block, delta, error } = event;
    if (block?.type === 'tool_use') calls.push({ name: block.name!, json: '' });
    if (delta?.partial_json !== undefined) calls.at(-1)!.json += delta.partial_json;
    told = {
      ...told,
      text: told.text + (block?.text ?? '') + (delta?.text ?? ''),
      finish: delta?.stop_reason ?? told.finish,
      isDone: told.isDone || type === 'message_stop',
      error: error ?? told.error,
    };
  }
  return { ...told, calls: calls.map(toCall) };
}

/** A call that is told in part is no JSON, and throws. */
const toCall = ({ name, json }: { name: string; json: string }): Told['calls'][number] => ({
  name,
  arguments: JSON.parse(json) as JsonObject,
});
