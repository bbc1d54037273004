import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { UpstreamEvent, UpstreamFrame } from '../turn/upstream-event.ts';
import { MessagesStreamReader } from './read-messages-stream.ts';

const sse = (...events: readonly object[]): string =>
  events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');

function frames(stream: string): UpstreamFrame[] {
  const reader = new MessagesStreamReader();
  return [...reader.feed(Buffer.from(stream)), ...reader.end()];
}

function read(...events: readonly object[]): UpstreamEvent[] {
  return frames(sse(...events)).flatMap((frame) => frame.events);
}

const start = (index: number | undefined, block: object): object => ({
  type: 'content_block_start',
  index,
  content_block: block,
});
const delta = (index: number | undefined, part: object): object => ({
  type: 'content_block_delta',
  index,
  delta: part,
});
const stop = (index: number | undefined): object => ({ type: 'content_block_stop', index });
const json = (partial: unknown): object => ({ type: 'input_json_delta', partial_json: partial });
const use = (input: unknown = {}): object => ({ type: 'tool_use', id: 'a', name: 'Read', input });
const fragment = (slot: number, part: object): object => ({
  type: 'call-fragment',
  choice: 0,
  slot,
  ...part,
});

describe('a stream', () => {
  test('becomes events', () => {
    const usage = { input_tokens: 3, cache_read_input_tokens: 2, output_tokens: 1 };
    const ending = {
      type: 'message_delta',
      delta: { stop_reason: 'stop_sequence', stop_sequence: '#' },
    };
    expect(
      read(
        { type: 'message_start', message: { id: 'msg_1', model: 'm', content: [], usage } },
        { type: 'ping' },
        start(0, { type: 'thinking', thinking: '', signature: '' }),
        delta(0, { type: 'thinking_delta', thinking: 'hm' }),
        stop(0),
        start(1, { type: 'text', text: '' }),
        delta(1, { type: 'text_delta', text: 'Hi' }),
        stop(1),
        { ...ending, usage: { output_tokens: 9 } },
        { type: 'message_stop' },
      ),
    ).toEqual([
      { type: 'start', id: 'msg_1', model: 'm' },
      { type: 'usage', usage: { inputTokens: 5, outputTokens: 1, cachedTokens: 2 } },
      { type: 'reasoning', choice: 0, text: 'hm' },
      { type: 'text', choice: 0, text: 'Hi' },
      { type: 'finish', choice: 0, reason: 'stop-sequence', stopSequence: '#' },
      { type: 'usage', usage: { inputTokens: 5, outputTokens: 9, cachedTokens: 2 } },
      { type: 'done' },
    ]);
  });

  test('keeps the payload, the name and the body of each event', () => {
    const [frame] = frames('event: ping\ndata: {"type": "ping"}\n\n');
    expect(frame).toEqual({
      events: [],
      data: '{"type": "ping"}',
      body: { type: 'ping' },
      eventName: 'ping',
    });
  });

  test('is read by the names of its events where the data has no type', () => {
    const stream = 'event: content_block_delta\ndata: {"delta":{"text":"Hi"}}\n\n';
    expect(frames(stream)[0]?.events).toEqual([{ type: 'text', choice: 0, text: 'Hi' }]);
  });

  test.each([
    ['end_turn', 'stop'],
    ['pause_turn', 'stop'],
    ['max_tokens', 'length'],
    ['model_context_window_exceeded', 'length'],
    ['tool_use', 'tool-calls'],
    ['refusal', 'content-filter'],
    ['of_the_future', 'stop'],
  ])('that stops for %s has finished by %s', (word, reason) => {
    expect(read({ type: 'message_delta', delta: { stop_reason: word } })).toEqual([
      { type: 'finish', choice: 0, reason },
    ]);
  });

  test('is the same however its bytes are cut', () => {
    const stream = sse(
      start(0, { type: 'text', text: '' }),
      delta(0, { type: 'text_delta', text: 'Grüße 🎉' }),
      stop(0),
      start(1, use()),
      delta(1, json('{"path":"ä"}')),
      stop(1),
      { type: 'message_stop' },
    );
    const whole = frames(stream);
    const bytes = Buffer.from(stream);
    fc.assert(
      fc.property(fc.array(fc.nat(bytes.length), { maxLength: 20 }), (cuts) => {
        const reader = new MessagesStreamReader();
        const edges = [0, ...cuts.sort((one, other) => one - other), bytes.length];
        const parts = edges.slice(1).map((end, at) => bytes.subarray(edges[at], end));
        expect([...parts.flatMap((part) => reader.feed(part)), ...reader.end()]).toEqual(whole);
      }),
    );
  });
});

describe('a call', () => {
  test.each([
    ['in pieces', [start(0, use()), delta(0, json('{"a"')), delta(0, json(':1}')), stop(0)]],
    ['whole at its start', [start(0, use({ a: 1 })), stop(0)]],
    ['whole at its start, without an end', [start(0, use({ a: 1 })), { type: 'message_stop' }]],
    ['whole at its start and again', [start(0, use({ a: 1 })), delta(0, json('{"a":1}')), stop(0)]],
    ['as text at its start', [start(0, use('{"a":1}')), stop(0)]],
    ['with an object in a piece', [start(0, use()), delta(0, json({ a: 1 })), stop(0)]],
    ['after an empty piece', [start(0, use()), delta(0, json('')), delta(0, json('{"a":1}'))]],
    ['without indexes', [start(undefined, use()), delta(undefined, json('{"a":1}'))]],
    ['on an index that nobody began', [start(0, use()), delta(7, json('{"a":1}')), stop(7)]],
  ])('that comes %s is read', (_, events) => {
    const calls = read(...events).filter(({ type }) => type === 'call-fragment');
    const text = calls.map((call) => ('json' in call ? call.json : '')).join('');
    expect(calls[0]).toEqual(fragment(0, { id: 'a', name: 'Read' }));
    expect(JSON.parse(text)).toEqual({ a: 1 });
  });

  test('has a slot of its own, even on the index of another', () => {
    const events = read(start(0, use({ a: 1 })), start(0, use()), delta(0, json('{"b":2}')));
    expect(events).toEqual([
      fragment(0, { id: 'a', name: 'Read' }),
      fragment(0, { json: '{"a":1}' }),
      fragment(1, { id: 'a', name: 'Read' }),
      fragment(1, { json: '{"b":2}' }),
    ]);
  });

  test('that goes on beside another keeps its slot', () => {
    const events = read(start(0, use()), start(1, use()), delta(0, json('1')), delta(1, json('2')));
    expect(events.slice(2)).toEqual([fragment(0, { json: '1' }), fragment(1, { json: '2' })]);
  });

  test('of the vendor is passed on unread', () => {
    const block = { type: 'server_tool_use', id: 's', name: 'web_search', input: {} };
    const opaque = (content: object): object => ({ type: 'opaque', choice: 0, content });
    expect(read(start(0, block), delta(0, json('{}')), stop(0))).toEqual([
      opaque({ type: 'content_block_start', content_block: block }),
      opaque({ type: 'content_block_delta', delta: json('{}') }),
    ]);
  });
});

describe('what is wrong', () => {
  const error = (kind: string, message: unknown): object => ({
    type: 'error',
    error: { kind, message },
  });

  test.each([
    [
      'an error',
      { type: 'error', error: { type: 'overloaded_error', message: 'busy' } },
      'overloaded',
      'busy',
    ],
    ["OpenAI's error", { error: { message: 'no' } }, 'upstream', 'no'],
  ])('is told for %s', (_, event, kind, message) => {
    expect(read(event)).toEqual([error(kind, message)]);
  });

  test('is told for what is no JSON, with its beginning', () => {
    const [event] = frames(`data: <html>${'x'.repeat(500)}\n\n`)[0]!.events;
    expect(event).toMatchObject({ type: 'error', error: { kind: 'upstream' } });
    expect(JSON.stringify(event)).toContain('<html>');
    expect(JSON.stringify(event).length).toBeLessThan(300);
  });

  test('is told for JSON outside of any event', () => {
    expect(frames('{"error":{"message":"no"}}\n\n')[0]?.events).toMatchObject([{ type: 'error' }]);
  });

  test('is told once for an event that is too long', () => {
    const reader = new MessagesStreamReader();
    const bytes = Buffer.from(`data: ${'x'.repeat(5 * 1024 * 1024)}`);
    expect(reader.feed(bytes).flatMap(({ events }) => events)).toMatchObject([{ type: 'error' }]);
    expect(reader.feed(bytes)).toEqual([]);
    expect(reader.end()).toEqual([]);
  });

  test.each([
    [{ type: 'content_block_start' }],
    [{ type: 'content_block_delta', delta: null }],
    [{ type: 'message_start', message: 5 }],
    [{ type: 'message_delta', delta: { stop_reason: null }, usage: { output_tokens: null } }],
    [{ type: 'of_the_future' }],
    [{ type: 5 }],
    [{}],
  ])('%j is no event', (event) => {
    expect(read(event)).toEqual([]);
  });

  test('a stream that is cut ends with what was whole', () => {
    const stream = sse(delta(0, { type: 'text_delta', text: 'Hi' }), { type: 'message_stop' });
    expect(frames(stream.slice(0, -10)).flatMap((frame) => frame.events)).toEqual([
      { type: 'text', choice: 0, text: 'Hi' },
    ]);
    expect(frames(stream.trimEnd()).flatMap((frame) => frame.events)).toEqual([
      { type: 'text', choice: 0, text: 'Hi' },
      { type: 'done' },
    ]);
  });
});
