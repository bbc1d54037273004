import type { JsonObject } from '@holdfast/core';

/** A part of an answer in OpenAI's Responses protocol, as it is sent when it is complete. */
export type ResponsesItem =
  | {
      readonly type: 'message';
      readonly id: string;
      readonly status: 'completed';
      readonly role: 'assistant';
      readonly content: readonly OutputText[];
    }
  | {
      readonly type: 'reasoning';
      readonly id: string;
      readonly summary: readonly { readonly type: 'summary_text'; readonly text: string }[];
    }
  | {
      readonly type: 'function_call';
      readonly id: string;
      readonly status: 'completed';
      readonly call_id: string;
      readonly name: string;
      readonly arguments: string;
    };

interface OutputText {
  readonly type: 'output_text';
  readonly text: string;
  readonly annotations: readonly [];
  readonly logprobs: readonly [];
}

/** An event of such a stream: its name and its data, which is numbered when it is sent. */
export type ResponsesEvent = readonly [name: string, data: object];

export interface ResponsesStreamOptions {
  /** Characters of a text or of arguments in each event; all of them, if absent. */
  readonly cut?: number;
  /** `completed`, if absent. */
  readonly status?: 'completed' | 'incomplete';
}

const USAGE = {
  input_tokens: 11,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 7,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 18,
};

/** A response: the body of a whole answer, and what its first and last events carry. */
export const responseOf = (output: readonly object[], status = 'completed'): object => ({
  id: 'resp_scripted',
  object: 'response',
  created_at: 1_750_000_000,
  status,
  error: null,
  incomplete_details: status === 'incomplete' ? { reason: 'max_output_tokens' } : null,
  instructions: null,
  metadata: {},
  model: 'scripted',
  output,
  parallel_tool_calls: true,
  temperature: 1,
  tool_choice: 'auto',
  tools: [],
  top_p: 1,
  usage: status === 'in_progress' ? null : USAGE,
});

/** A message of the model. */
export const messageItem = (text: string, id = 'msg_1'): ResponsesItem => ({
  id,
  type: 'message',
  status: 'completed',
  role: 'assistant',
  content: [{ type: 'output_text', text, annotations: [], logprobs: [] }],
});

/** A call that the server tells itself. */
export const callItem = (
  callId: string,
  call: { readonly name: string; readonly arguments: JsonObject },
): ResponsesItem => ({
  id: `fc_${callId}`,
  type: 'function_call',
  status: 'completed',
  call_id: callId,
  name: call.name,
  arguments: JSON.stringify(call.arguments),
});

/** Reasoning, as far as it is shown. */
export const reasoningItem = (text: string): ResponsesItem => ({
  id: 'rs_1',
  type: 'reasoning',
  summary: [{ type: 'summary_text', text }],
});

/** A whole answer. */
export const responsesBodyOf = (items: readonly object[], status = 'completed'): string =>
  JSON.stringify(responseOf(items, status));

/** The events of an answer. */
export function responsesEvents(
  items: readonly ResponsesItem[],
  { cut = Infinity, status = 'completed' }: ResponsesStreamOptions = {},
): readonly ResponsesEvent[] {
  return [
    event('response.created', { response: responseOf([], 'in_progress') }),
    event('response.in_progress', { response: responseOf([], 'in_progress') }),
    ...items.flatMap((item, index) => [
      event('response.output_item.added', { output_index: index, item: opening(item) }),
      ...contentEvents(item, { item_id: item.id, output_index: index }, cut),
      event('response.output_item.done', { output_index: index, item }),
    ]),
    event(`response.${status}`, { response: responseOf(items, status) }),
  ];
}

/** Events as they are sent; some servers leave out their `event:` lines or their numbers. */
export const responsesStreamOf = (
  events: readonly ResponsesEvent[],
  { named = true, numbered = true }: { readonly named?: boolean; readonly numbered?: boolean } = {},
): string =>
  events
    .map(([name, data], at) => {
      const sent = numbered ? { ...data, sequence_number: at } : data;
      return `${named ? `event: ${name}\n` : ''}data: ${JSON.stringify(sent)}\n\n`;
    })
    .join('');

export const event = (type: string, fields: object): ResponsesEvent => [type, { type, ...fields }];

function opening(item: ResponsesItem): object {
  if (item.type === 'message') return { ...item, status: 'in_progress', content: [] };
  if (item.type === 'reasoning') return { ...item, summary: [] };
  return { ...item, status: 'in_progress', arguments: '' };
}

function contentEvents(item: ResponsesItem, place: object, cut: number): readonly ResponsesEvent[] {
  if (item.type === 'function_call')
    return [
      ...pieces(item.arguments, cut).map((delta) =>
        event('response.function_call_arguments.delta', { ...place, delta }),
      ),
      event('response.function_call_arguments.done', {
        ...place,
        name: item.name,
        arguments: item.arguments,
      }),
    ];
  return item.type === 'message' ? textEvents(item, place, cut) : summaryEvents(item, place);
}

function textEvents(
  { content }: Extract<ResponsesItem, { type: 'message' }>,
  place: object,
  cut: number,
): readonly ResponsesEvent[] {
  return content.flatMap((part, index) => {
    const at = { ...place, content_index: index };
    return [
      event('response.content_part.added', { ...at, part: { ...part, text: '' } }),
      ...pieces(part.text, cut).map((delta) =>
        event('response.output_text.delta', { ...at, delta, logprobs: [] }),
      ),
      event('response.output_text.done', { ...at, text: part.text, logprobs: [] }),
      event('response.content_part.done', { ...at, part }),
    ];
  });
}

function summaryEvents(
  { summary }: Extract<ResponsesItem, { type: 'reasoning' }>,
  place: object,
): readonly ResponsesEvent[] {
  return summary.flatMap((part, index) => {
    const at = { ...place, summary_index: index };
    return [
      event('response.reasoning_summary_part.added', { ...at, part: { ...part, text: '' } }),
      event('response.reasoning_summary_text.delta', { ...at, delta: part.text }),
      event('response.reasoning_summary_text.done', { ...at, text: part.text }),
      event('response.reasoning_summary_part.done', { ...at, part }),
    ];
  });
}

function pieces(text: string, cut: number): readonly string[] {
  const characters = Array.from(text);
  const found: string[] = [];
  for (let at = 0; at < characters.length; at += cut)
    found.push(characters.slice(at, at + cut).join(''));
  return found;
}
