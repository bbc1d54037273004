import type { JsonObject } from '@holdfast/core';
import { describe, expect, test } from 'vitest';
import type { TurnEvent } from '../turn/turn-event.ts';
import { checkResponsesStream } from './check-responses-stream.case.ts';
import { ResponsesStreamReader } from './read-responses-stream.ts';
import {
  added,
  callEvents,
  completed,
  CREATED,
  ended,
  functionCall,
  IN_PROGRESS,
  message,
  messageEvents,
  reasoning,
  reasoningEvents,
  SEARCH,
  searchEvents,
  sse,
} from './responses-stream.case.ts';
import type { Said } from './responses-stream.case.ts';
import { call, options, text } from './responses-turn.case.ts';
import { ResponsesWriter } from './responses-writer.ts';

type Change = (event: TurnEvent) => readonly TurnEvent[];

/** What becomes of an upstream's stream where some of its events are told otherwise. */
function passOn(stream: string, change: Change = (event) => [event]): string {
  const reader = new ResponsesStreamReader();
  const writer = new ResponsesWriter(options());
  const frames = [...reader.feed(Buffer.from(stream)), ...reader.end()];
  const told = frames.map((frame) => {
    const events = frame.events.flatMap((event) =>
      event.type === 'call-fragment' ? [] : change(event),
    );
    return writer.write(events, frame);
  });
  return told.join('') + writer.end();
}

/** Tells one text as something else. */
function instead(of: string, ...events: readonly TurnEvent[]): Change {
  return (event) => (event.type === 'text' && event.text === of ? events : [event]);
}

const HEAD: readonly Said[] = [CREATED, IN_PROGRESS];

describe('a turn of a Responses upstream', () => {
  test('passes as it came where nothing is changed', () => {
    const refusal = { type: 'refusal', refusal: 'No' };
    const refused = { ...message('msg_2'), content: [refusal] };
    const place = { item_id: 'msg_2', output_index: 3, content_index: 0 };
    const note = { type: 'url_citation', url: 'https://example.com', start_index: 0, end_index: 2 };
    const cited = message('msg_1', 'Hello', ' there');
    const [hello, part, ...rest] = messageEvents(2, 'msg_1', 'Hello', ' there');
    const stream = sse(
      ...HEAD,
      ...reasoningEvents(0, 'rs_1', 'hm', 'so'),
      ...searchEvents(1),
      ...[hello!, part!, ...rest.slice(0, 2)],
      {
        type: 'response.output_text.annotation.added',
        ...{ item_id: 'msg_1', output_index: 2, content_index: 0 },
        ...{ annotation_index: 0, annotation: note },
      },
      ...rest.slice(2),
      added(3, { ...refused, status: 'in_progress', content: [] }),
      { type: 'response.content_part.added', ...place, part: { type: 'refusal', refusal: '' } },
      { type: 'response.refusal.delta', ...place, delta: 'No' },
      { type: 'response.refusal.done', ...place, refusal: 'No' },
      { type: 'response.content_part.done', ...place, part: refusal },
      ended(3, refused),
      { type: 'keepalive' },
      completed([reasoning('rs_1', 'hm', 'so'), SEARCH, cited, refused]),
    );
    expect(passOn(stream)).toBe(stream);
    expect(checkResponsesStream(stream).problems).toEqual([]);
  });

  test('passes what ends it behind the end too', () => {
    const stream = `${sse(...HEAD, completed([]))}data: [DONE]\n\n`;
    expect(passOn(stream)).toBe(stream);
  });

  test('has places of its own behind a call that was found in text', () => {
    const stream = sse(
      ...HEAD,
      ...messageEvents(0, 'msg_1', 'Hi ', '<c>', ' bye'),
      ...searchEvents(1),
      ...messageEvents(2, 'msg_b', 'more'),
      completed([message('msg_1', 'Hi ', '<c>', ' bye'), SEARCH, message('msg_b', 'more')]),
    );
    const seen = checkResponsesStream(passOn(stream, instead('<c>', call(0))));
    expect(seen.problems).toEqual([]);
    expect(seen.output).toMatchObject([
      { id: 'msg_1', content: [{ text: 'Hi ' }] },
      { type: 'function_call', name: 'read', call_id: 'call_0' },
      { type: 'message', content: [{ text: ' bye' }] },
      SEARCH,
      { id: 'msg_b', content: [{ text: 'more' }] },
    ]);
    expect(seen.names).toContain('response.web_search_call.searching');
    expect(seen.response).toMatchObject({ id: 'resp_up', of_the_future: 1 });
    expect(seen.response).toMatchObject({ usage: { total_tokens: 7 } });
  });

  test('has no message where all of it is a call', () => {
    const stream = sse(
      ...HEAD,
      ...messageEvents(0, 'msg_1', '<c>'),
      completed([message('msg_1', '<c>')]),
    );
    const seen = checkResponsesStream(passOn(stream, instead('<c>', call(0))));
    expect(seen.problems).toEqual([]);
    expect(seen.output).toMatchObject([{ type: 'function_call' }]);
    expect(seen.events[0]).toEqual({ ...CREATED, sequence_number: 0 });
  });

  test('goes on in the message that is open when something is changed', () => {
    const stream = sse(
      ...HEAD,
      ...messageEvents(0, 'msg_1', 'a', 'b', 'c'),
      completed([message('msg_1', 'a', 'b', 'c')]),
    );
    const seen = checkResponsesStream(passOn(stream, instead('b', text('B'))));
    expect(seen.problems).toEqual([]);
    expect(seen.output).toMatchObject([{ id: 'msg_1', content: [{ text: 'aBc' }] }]);
  });

  test('keeps what is told late in the message it was held back from', () => {
    const stream = sse(
      ...HEAD,
      ...messageEvents(0, 'msg_1', 'a', '<'),
      completed([message('msg_1', 'a', '<')]),
    );
    const change: Change = (event) => {
      if (event.type === 'finish') return [text('<'), event];
      return event.type === 'text' && event.text === '<' ? [] : [event];
    };
    const seen = checkResponsesStream(passOn(stream, change));
    expect(seen.problems).toEqual([]);
    expect(seen.output).toMatchObject([{ id: 'msg_1', content: [{ text: 'a<' }] }]);
  });

  test('keeps what only the upstream knows of reasoning, messages and calls', () => {
    const item = { ...functionCall('fc_1', 'read', '{}'), async: false };
    const phased: JsonObject = { ...message('msg_1', 'x'), phase: 'commentary' };
    const stream = sse(
      ...HEAD,
      ...callEvents(0, item, '{}'),
      ...reasoningEvents(1, 'rs_1', 'hm', 'so'),
      added(2, { ...phased, status: 'in_progress', content: [] }),
      ended(2, phased),
      completed([item, reasoning('rs_1', 'hm', 'so'), phased]),
    );
    const told = { ...call(0, 'read', {}) } as Extract<TurnEvent, { type: 'call' }>;
    const change: Change = (event) =>
      event.type === 'finish'
        ? [{ ...told, call: { ...told.call, id: 'call_fc_1' } }, event]
        : [event];
    const seen = checkResponsesStream(passOn(stream, change));
    expect(seen.problems).toEqual([]);
    const { content: _content, ...fields } = phased;
    expect(seen.output).toMatchObject([reasoning('rs_1', 'hm', 'so'), fields, item]);
  });

  test('passes signs of life on where it is written anew', () => {
    const stream = sse(
      ...HEAD,
      ...messageEvents(0, 'm', 'a'),
      { type: 'keepalive' },
      completed([]),
    );
    const seen = checkResponsesStream(passOn(stream, (event) => [{ ...event }]));
    expect(seen).toMatchObject({ problems: [] });
    expect(seen.names).toContain('keepalive');
  });

  test('is an error for all clients where the upstream says only one of both', () => {
    const error = { code: 'context_length_exceeded', message: 'too long' };
    const failed = { type: 'response.failed', response: { id: 'resp_up', error } };
    for (const end of [{ type: 'error', ...error }, failed]) {
      const stream = sse(...HEAD, ...messageEvents(0, 'msg_1', 'a'), end);
      const seen = checkResponsesStream(passOn(stream));
      expect(seen.problems).toEqual([]);
      expect(seen.names.slice(-2)).toEqual(['error', 'response.failed']);
      expect(seen.response).toMatchObject({ error, output: [{ id: 'msg_1' }] });
    }
  });

  test.each<[string, (stream: string) => string]>([
    ['events have no names', (stream) => stream.replace(/^event: .*\n/gm, '')],
    ['events have no numbers', (stream) => stream.replace(/"sequence_number":\d+,/g, '')],
    ['numbers start at 1', (stream) => stream.replace(/("sequence_number":)/g, '$11')],
    ['events have no types', (stream) => stream.replace(/^data: \{"type":"[\w.]+",/gm, 'data: {')],
    ['items have no places', (stream) => stream.replace(/"output_index":\d,/g, '')],
    ['places count from 1', (stream) => stream.replace(/"output_index":0/g, '"output_index":1')],
    ['items have no ids', (stream) => stream.replace(/"id":"msg_1",/g, '')],
    ['ids of items change', (stream) => stream.replace('"item_id":"msg_1"', '"item_id":"other"')],
    ['the start is missing', (stream) => without(stream, 'response.created')],
    ['the start has no model', (stream) => stream.replace('"model":"m",', '')],
    ['starts of items are missing', (stream) => without(stream, 'response.output_item.added')],
    ['starts of parts are missing', (stream) => without(stream, 'response.content_part.added')],
    ['ends of parts are missing', (stream) => without(stream, 'response.content_part.done')],
    ['ends of texts are missing', (stream) => without(stream, 'response.output_text.done')],
    ['ends of items are missing', (stream) => without(stream, 'response.output_item.done')],
    ['text comes at the end only', (stream) => without(stream, 'response.output_text.delta')],
    ['the usage lacks a number', (stream) => stream.replace('"total_tokens":7', '"of":7')],
    ['the end has no output', (stream) => stream.replace('"output":[{', '"told":[{')],
    ['data has several lines', (stream) => stream.replaceAll(',"delta"', '\ndata: ,"delta"')],
    ['lines end in CRLF', (stream) => stream.replaceAll('\n', '\r\n')],
  ])('is right for its client where %s', (_, spoil) => {
    const right = sse(
      ...HEAD,
      ...messageEvents(0, 'msg_1', 'Hel', 'lo'),
      completed([message('msg_1', 'Hel', 'lo')]),
    );
    const wrong = spoil(right);
    expect(wrong).not.toBe(right);
    const seen = checkResponsesStream(passOn(wrong));
    expect(seen.problems).toEqual([]);
    expect(seen.response).toMatchObject({ status: 'completed', usage: { output_tokens: 4 } });
    expect(seen.output).toMatchObject([{ type: 'message', content: [{ text: 'Hello' }] }]);
  });

  test('is an error where the upstream dies', () => {
    const stream = sse(...HEAD, ...messageEvents(0, 'msg_1', 'Hello'));
    expect(checkResponsesStream(passOn(stream)).names.at(-1)).toBe('response.failed');
  });

  test('is right where reasoning has no parts', () => {
    const item: JsonObject = { id: 'rs_1', type: 'reasoning', summary: [] };
    const content = [{ type: 'reasoning_text', text: 'hm' }];
    const place = { item_id: 'rs_1', output_index: 0, content_index: 0 };
    const stream = sse(
      ...HEAD,
      added(0, item),
      { type: 'response.reasoning_text.delta', ...place, delta: 'hm' },
      ended(0, { ...item, content }),
      completed([{ ...item, content }]),
    );
    const seen = checkResponsesStream(passOn(stream));
    expect(seen).toMatchObject({ problems: [], output: [{ ...item, content }] });
  });

  test('cannot smuggle events in by a name of several lines', () => {
    const evil = { type: 'x\ndata: {}\n\nevent: response.completed', sequence_number: 0 };
    const stream = `data: ${JSON.stringify(evil)}\n\n${sse(...HEAD, completed([]))}`;
    expect(checkResponsesStream(passOn(stream)).problems).toEqual([]);
  });
});

function without(stream: string, name: string): string {
  return stream
    .split('\n\n')
    .filter((event) => !event.startsWith(`event: ${name}\n`))
    .join('\n\n');
}
