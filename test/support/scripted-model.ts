import { chatBodyOf, chatStreamOf } from './chat-stream-of.ts';
import { messagesBodyOf, messagesEvents, messagesStreamOf } from './messages-stream-of.ts';
import {
  messageItem,
  responsesBodyOf,
  responsesEvents,
  responsesStreamOf,
} from './responses-stream-of.ts';
import type { Cut } from './scripted-answer.ts';
import type { Script } from './scripted-upstream.ts';

/** What a model says when it is asked: streamed, and whole. */
export interface ModelAnswer {
  readonly stream: string;
  readonly body: string;
  /** How many bytes are sent at once; `whole`, if absent. */
  readonly cut?: Cut;
}

/**
 * A model that makes calls, in any protocol. What it first says is looked up by the name of the model; when
 * the results of its calls come back it quotes them, or says what is wrong with them. Whoever offers no tools
 * gets `smallTalk`.
 */
export const scriptedModel =
  (first: (model: string) => ModelAnswer, smallTalk = 'Hello.'): Script =>
  (request) => {
    const { model, messages, input = [], tools = [], stream } = request.json as ModelRequest;
    const protocol = protocolOf(request.path);
    const said = messages ?? (typeof input === 'string' ? [] : input);
    const results = said.flatMap(resultsIn);
    const answer =
      tools.length === 0
        ? textAnswer(protocol, smallTalk)
        : results.length === 0
          ? first(model)
          : textAnswer(protocol, quote(results, said));
    const { cut = 'whole' } = answer;
    return { body: stream === true ? answer.stream : answer.body, cut };
  };

/** A text in one block or message; `cut` characters of it in each event. */
export function textAnswer(protocol: Protocol, text: string, cut?: number): ModelAnswer {
  if (protocol === 'chat')
    return { stream: chatStreamOf(text, { cut: cut ?? 'whole' }), body: chatBodyOf(text) };
  if (protocol === 'responses') {
    const items = [messageItem(text)];
    const events = responsesEvents(items, cut === undefined ? {} : { cut });
    return { stream: responsesStreamOf(events), body: responsesBodyOf(items) };
  }
  const blocks = [{ type: 'text', text }] as const;
  const events = messagesEvents(blocks, cut === undefined ? {} : { cut });
  return { stream: messagesStreamOf(events), body: messagesBodyOf(blocks) };
}

export type Protocol = 'chat' | 'messages' | 'responses';

export const protocolOf = (path: string): Protocol =>
  path.includes('/messages') ? 'messages' : path.includes('/responses') ? 'responses' : 'chat';

interface ModelRequest {
  readonly model: string;
  readonly messages?: readonly Message[];
  readonly input?: string | readonly Message[];
  readonly tools?: readonly unknown[];
  readonly stream?: boolean;
}

/** A message, or an item of Responses. */
interface Message {
  readonly type?: string;
  readonly role?: string;
  readonly content?: string | readonly Block[] | null;
  readonly tool_calls?: readonly { readonly id: string }[];
  readonly tool_call_id?: string;
  readonly call_id?: string;
  readonly output?: string | readonly Block[];
}

interface Block {
  readonly type: string;
  readonly text?: string;
  readonly id?: string;
  readonly tool_use_id?: string;
  readonly content?: string | readonly Block[];
}

interface Result {
  readonly id: string;
  readonly text: string;
}

function quote(results: readonly Result[], messages: readonly Message[]): string {
  const called = messages.flatMap(idsIn).join();
  const answered = results.map(({ id }) => id).join();
  const quoted = results.map(({ text }) => text).join(', ');
  return called === answered ? `It says: ${quoted}` : `Called ${called}, not ${answered}`;
}

/** The ids of the calls in a message of the model. */
function idsIn({ type, role, content, call_id: id, tool_calls: calls = [] }: Message): string[] {
  if (type === 'function_call' || type === 'custom_tool_call') return [id ?? ''];
  if (role !== 'assistant') return [];
  const blocks = Array.isArray(content) ? (content as readonly Block[]) : [];
  const used = blocks.flatMap((block) => (block.type === 'tool_use' ? [block.id ?? ''] : []));
  return [...calls.map((call) => call.id), ...used];
}

function resultsIn(message: Message): readonly Result[] {
  const { type, role, content = null, tool_call_id: id } = message;
  if (type === 'function_call_output' || type === 'custom_tool_call_output')
    return [{ id: message.call_id ?? '', text: textOf(message.output ?? '') }];
  if (role === 'tool') return [{ id: id ?? '', text: textOf(content) }];
  if (typeof content === 'string' || content === null) return [];
  return content.flatMap((block) =>
    block.type === 'tool_result'
      ? [{ id: block.tool_use_id ?? '', text: textOf(block.content ?? '') }]
      : [],
  );
}

const textOf = (content: string | readonly Block[] | null): string =>
  typeof content === 'string' ? content : (content ?? []).map(({ text }) => text ?? '').join('');
