import type { JsonObject } from '@holdfast/core';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { UpstreamEvent, UpstreamFrame } from '../turn/upstream-event.ts';
import { readResponsesAnswer } from './read-responses-answer.ts';
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

function framesOf(stream: string): UpstreamFrame[] {
  const reader = new ResponsesStreamReader();
  return [...reader.feed(Buffer.from(stream)), ...reader.end()];
}

function read(...events: readonly Said[]): UpstreamEvent[] {
  return framesOf(sse(...events)).flatMap((frame) => frame.events);
}

/** What was said, in words, without what only this protocol has. */
function gist(events: readonly UpstreamEvent[]): JsonObject {
  const of = (type: 'text' | 'reasoning'): string =>
    events.map((event) => (event.type === type ? event.text : '')).join('');
  const calls: { id: string; name: string; json: string }[] = [];
  for (const event of events) {
    if (event.type !== 'call-fragment') continue;
    const call = (calls[event.slot] ??= { id: '', name: '', json: '' });
    call.id += event.id ?? '';
    call.name += event.name ?? '';
    call.json += event.json ?? '';
  }
  const finish = events.find((event) => event.type === 'finish');
  const error = events.find((event) => event.type === 'error');
  return {
    text: of('text'),
    reasoning: of('reasoning'),
    calls,
    ...(finish?.type === 'finish' && { finish: finish.reason }),
    ...(error?.type === 'error' && { error: error.error.kind }),
  };
}

const CALL = functionCall('fc_1', 'read', '{"path":"a"}');
const OUTPUT = [reasoning('rs_1', 'hm', 'so'), message('msg_1', 'Hel', 'lo'), SEARCH, CALL];
const ALL: readonly Said[] = [
  CREATED,
  IN_PROGRESS,
  ...reasoningEvents(0, 'rs_1', 'hm', 'so'),
  ...messageEvents(1, 'msg_1', 'Hel', 'lo'),
  ...searchEvents(2),
  ...callEvents(3, CALL, '{"pa', 'th":"a"}'),
  completed(OUTPUT),
];
const MEANING = {
  text: 'Hello',
  reasoning: 'hmso',
  calls: [{ id: 'call_fc_1', name: 'read', json: '{"path":"a"}' }],
  finish: 'tool-calls',
};

describe('a stream of Responses', () => {
  test('is read into what it says', () => {
    const events = read(...ALL);
    expect(gist(events)).toEqual(MEANING);
    expect(events[0]).toEqual({ type: 'start', id: 'resp_up', model: 'm', created: 7 });
    expect(events).toContainEqual({
      type: 'usage',
      usage: { inputTokens: 3, outputTokens: 4, cachedTokens: 1, reasoningTokens: 2 },
    });
    expect(events.at(-1)).toEqual({ type: 'done' });
  });

  test('says the same however it is cut', () => {
    const bytes = Buffer.from(sse(...ALL));
    const right = framesOf(sse(...ALL));
    fc.assert(
      fc.property(fc.array(fc.nat(bytes.length)), (cuts) => {
        const reader = new ResponsesStreamReader();
        const places = [0, ...cuts.sort((one, other) => one - other), bytes.length];
        const frames = places.flatMap((place, at) =>
          reader.feed(bytes.subarray(place, places[at + 1] ?? place)),
        );
        expect([...frames, ...reader.end()]).toEqual(right);
      }),
    );
  });

  test.each<[string, (event: Said) => Said[]]>([
    ['deltas', (event) => (event.type.endsWith('.delta') ? [] : [event])],
    [
      'all but whole items',
      (event) => (/delta|_text|_part|arguments|added/.test(event.type) ? [] : [event]),
    ],
    ['all but the whole response', (event) => (/_/.test(event.type) ? [] : [event])],
    ['starts of items', (event) => (event.type.endsWith('item.added') ? [] : [event])],
    ['ends of items', (event) => (event.type.endsWith('item.done') ? [] : [event])],
    ['starts and ends of items', (event) => (/output_item/.test(event.type) ? [] : [event])],
    [
      'the output at the end',
      (event) => [event.type === 'response.completed' ? completed([]) : event],
    ],
    ['places', ({ output_index: _index, ...event }) => [event]],
    ['ids of items', ({ item_id: _id, ...event }) => [event]],
  ])('loses nothing without %s, and has nothing twice', (_, spoil) => {
    expect(gist(read(...ALL.flatMap((event) => spoil(event))))).toEqual(MEANING);
  });

  test('is read without names of events, by names alone, and without numbers', () => {
    const stream = sse(...ALL);
    const nameless = stream.replace(/^event: .*\n/gm, '');
    const typeless = stream.replace(/^data: \{"type":"[\w.]+",/gm, 'data: {');
    const numberless = stream.replace(/"sequence_number":\d+,/g, '');
    for (const other of [nameless, typeless, numberless]) {
      expect(other).not.toBe(stream);
      expect(gist(framesOf(other).flatMap(({ events }) => events))).toEqual(MEANING);
    }
  });

  test('does not mind ids that change from event to event', () => {
    let count = 0;
    const events = ALL.map((event) =>
      event['item_id'] === undefined ? event : { ...event, item_id: `other_${count++}` },
    );
    expect(gist(read(...events))).toEqual(MEANING);
  });

  test('names a call in a namespace by both its names', () => {
    const item = { ...CALL, namespace: 'agents' };
    const { calls } = gist(read(CREATED, ...callEvents(0, item), completed([item])));
    expect(calls).toMatchObject([{ name: 'agents__read' }]);
  });

  test('takes the text of a custom tool for its input', () => {
    const item = { id: 'ctc_1', type: 'custom_tool_call', call_id: 'call_1', name: 'patch' };
    const place = { item_id: 'ctc_1', output_index: 0 };
    const events = read(
      CREATED,
      added(0, { ...item, input: '' }),
      { type: 'response.custom_tool_call_input.delta', ...place, delta: 'a "' },
      { type: 'response.custom_tool_call_input.delta', ...place, delta: 'b"' },
      { type: 'response.custom_tool_call_input.done', ...place, input: 'a "b"' },
      ended(0, { ...item, input: 'a "b"' }),
      completed([{ ...item, input: 'a "b"' }]),
    );
    const json = '{"input":"a \\"b\\""}';
    expect(gist(events)['calls']).toEqual([{ id: 'call_1', name: 'patch', json }]);
  });

  test('takes arguments that are an object', () => {
    const item = { ...CALL, arguments: { path: 'a' } };
    const events = read(CREATED, ended(0, item), completed([item]));
    expect(gist(events)['calls']).toMatchObject([{ json: '{"path":"a"}' }]);
  });

  test('tells why it was cut', () => {
    const cut = (reason: string): JsonObject =>
      gist(read(CREATED, completed([], { status: 'incomplete', incomplete_details: { reason } })));
    expect(cut('max_output_tokens')).toMatchObject({ finish: 'length' });
    expect(cut('content_filter')).toMatchObject({ finish: 'content-filter' });
    expect(cut('of_the_future')).toMatchObject({ finish: 'length' });
  });

  test.each([
    ['server_error', 'upstream'],
    ['rate_limit_exceeded', 'rate-limited'],
    ['context_length_exceeded', 'invalid-request'],
    ['server_is_overloaded', 'overloaded'],
    ['slow_down', 'overloaded'],
    ['of_the_future', 'upstream'],
  ])('tells what failed by the code %s', (code, kind) => {
    const error = { code, message: 'why' };
    const failed = { type: 'response.failed', response: { status: 'failed', error } };
    const right = { type: 'error', error: { kind, message: 'why', details: { code } } };
    expect(read(CREATED, failed).at(-1)).toEqual(right);
    expect(read(CREATED, { type: 'error', ...error }).at(-1)).toEqual(right);
    expect(read(CREATED, { type: 'error', error }).at(-1)).toEqual(right);
  });

  test('has no end where the upstream did not say it', () => {
    const events = read(CREATED, ...messageEvents(0, 'msg_1', 'x'));
    expect(events.map(({ type }) => type)).not.toContain('done');
    expect(events.map(({ type }) => type)).not.toContain('finish');
  });

  test('is an error where something else arrives', () => {
    const [frame] = framesOf('data: <html>\n\n');
    expect(frame?.events).toMatchObject([{ type: 'error', error: { kind: 'upstream' } }]);
  });

  test('never throws', () => {
    const anyEvent = fc.record(
      {
        type: fc.constantFrom(...new Set(ALL.map(({ type }) => type)), 'error', 7),
        item: fc.oneof(fc.constantFrom(...OUTPUT), fc.jsonValue()),
        output_index: fc.oneof(fc.nat(3), fc.jsonValue()),
        item_id: fc.jsonValue(),
        delta: fc.jsonValue(),
        part: fc.jsonValue(),
        response: fc.oneof(fc.record({ output: fc.jsonValue() }), fc.jsonValue()),
        error: fc.jsonValue(),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.array(anyEvent), (events) => {
        framesOf(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''));
      }),
    );
  });
});

describe('a whole response', () => {
  const whole = completed(OUTPUT)['response'] as JsonObject;

  test('says what its stream says', () => {
    const frame = readResponsesAnswer(JSON.stringify(whole));
    expect(gist(frame.events)).toEqual(MEANING);
    expect(frame.events[0]).toMatchObject({ type: 'start', id: 'resp_up' });
    expect(frame.events.at(-1)).toEqual({ type: 'done' });
  });

  test.each<[string, unknown, string]>([
    [
      'failed',
      { ...whole, status: 'failed', error: { code: 'slow_down', message: 'x' } },
      'overloaded',
    ],
    ['is an error', { error: { message: 'x', type: 'rate_limit_error' } }, 'rate-limited'],
    ['is not made yet', { ...whole, status: 'queued', output: [] }, 'upstream'],
    ['is none', { choices: [] }, 'upstream'],
    ['is no object', 'hello', 'upstream'],
  ])('that %s is an error', (_, answer, kind) => {
    const { events } = readResponsesAnswer(JSON.stringify(answer));
    expect(events).toMatchObject([{ type: 'error', error: { kind } }]);
  });
});
