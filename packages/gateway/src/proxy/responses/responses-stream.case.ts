import type { JsonObject, JsonValue } from '@holdfast/core';

/** Events of a Responses upstream, without their numbers. */
export type Said = JsonObject & { readonly type: string };

/** A stream as an upstream sends it, with numbers from 0. */
export function sse(...events: readonly Said[]): string {
  return events
    .map((event, at) => {
      const { type, ...fields } = event;
      const numbered = { type, sequence_number: at, ...fields };
      return `event: ${type}\ndata: ${JSON.stringify(numbered)}\n\n`;
    })
    .join('');
}

const RESPONSE: JsonObject = {
  id: 'resp_up',
  object: 'response',
  created_at: 7,
  model: 'm',
  status: 'in_progress',
  output: [],
  usage: null,
  of_the_future: 1,
};

const USAGE: JsonObject = {
  input_tokens: 3,
  input_tokens_details: { cached_tokens: 1 },
  output_tokens: 4,
  output_tokens_details: { reasoning_tokens: 2 },
  total_tokens: 7,
};

export const CREATED: Said = { type: 'response.created', response: RESPONSE };
export const IN_PROGRESS: Said = { type: 'response.in_progress', response: RESPONSE };

export function added(index: number, item: JsonObject): Said {
  return { type: 'response.output_item.added', output_index: index, item };
}

export function ended(index: number, item: JsonObject): Said {
  return { type: 'response.output_item.done', output_index: index, item };
}

/** What ends a stream that did not fail. */
export function completed(output: readonly JsonObject[], more: JsonObject = {}): Said {
  const { status = 'completed' } = more;
  const type = status === 'incomplete' ? 'response.incomplete' : 'response.completed';
  return { type, response: { ...RESPONSE, status, output, usage: USAGE, ...more } };
}

export function message(id: string, ...texts: readonly string[]): JsonObject {
  const part = { type: 'output_text', annotations: [], logprobs: [], text: texts.join('') };
  return { id, type: 'message', status: 'completed', role: 'assistant', content: [part] };
}

/** All events of a message. */
export function messageEvents(index: number, id: string, ...texts: readonly string[]): Said[] {
  const place = { item_id: id, output_index: index, content_index: 0 };
  const item = message(id, ...texts);
  const [part = null] = item['content'] as readonly JsonValue[];
  const text = texts.join('');
  return [
    added(index, { ...item, status: 'in_progress', content: [] }),
    {
      type: 'response.content_part.added',
      ...place,
      part: { type: 'output_text', annotations: [], logprobs: [], text: '' },
    },
    ...texts.map((delta) => ({
      type: 'response.output_text.delta',
      ...place,
      ...{ delta, logprobs: [], obfuscation: 'x' },
    })),
    { type: 'response.output_text.done', ...place, text, logprobs: [] },
    { type: 'response.content_part.done', ...place, part },
    ended(index, item),
  ];
}

export function functionCall(id: string, name: string, args: string): JsonObject {
  const call = { id, type: 'function_call', status: 'completed', arguments: args };
  return { ...call, call_id: `call_${id}`, name };
}

/** All events of a call. */
export function callEvents(index: number, item: JsonObject, ...parts: readonly string[]): Said[] {
  const place = { item_id: item['id'] ?? '', output_index: index };
  return [
    added(index, { ...item, status: 'in_progress', arguments: '' }),
    ...parts.map((delta) => ({
      type: 'response.function_call_arguments.delta',
      ...place,
      delta,
    })),
    {
      type: 'response.function_call_arguments.done',
      ...place,
      arguments: item['arguments'] ?? '',
    },
    ended(index, item),
  ];
}

export function reasoning(id: string, ...paragraphs: readonly string[]): JsonObject {
  const summary = paragraphs.map((text) => ({ type: 'summary_text', text }));
  return { id, type: 'reasoning', summary, encrypted_content: 'c2VjcmV0' };
}

/** All events of reasoning, each paragraph in one delta. */
export function reasoningEvents(index: number, id: string, ...paragraphs: string[]): Said[] {
  const place = { item_id: id, output_index: index };
  return [
    added(index, { id, type: 'reasoning', summary: [], encrypted_content: 'aGFsZg' }),
    ...paragraphs.flatMap((text, at): Said[] => {
      const where = { ...place, summary_index: at };
      return [
        {
          type: 'response.reasoning_summary_part.added',
          ...where,
          part: { type: 'summary_text', text: '' },
        },
        { type: 'response.reasoning_summary_text.delta', ...where, delta: text },
        { type: 'response.reasoning_summary_text.done', ...where, text },
        {
          type: 'response.reasoning_summary_part.done',
          ...where,
          part: { type: 'summary_text', text },
        },
      ];
    }),
    ended(index, reasoning(id, ...paragraphs)),
  ];
}

export const SEARCH: JsonObject = {
  id: 'ws_1',
  type: 'web_search_call',
  status: 'completed',
  action: { type: 'search', query: 'x' },
};

/** All events of a hosted tool. */
export function searchEvents(index: number): Said[] {
  const place = { item_id: 'ws_1', output_index: index };
  return [
    added(index, { id: 'ws_1', type: 'web_search_call', status: 'in_progress' }),
    { type: 'response.web_search_call.searching', ...place },
    { type: 'response.web_search_call.completed', ...place },
    ended(index, SEARCH),
  ];
}
