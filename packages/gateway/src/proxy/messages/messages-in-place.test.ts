import { describe, expect, test } from 'vitest';
import type { TurnEvent } from '../turn/turn-event.ts';
import { seeStream } from './messages-stream.case.ts';
import { call, OPTIONS, text } from './messages-turn.case.ts';
import { MessagesWriter } from './messages-writer.ts';
import { MessagesStreamReader } from './read-messages-stream.ts';

const START = 'content_block_start';
const DELTA = 'content_block_delta';
const STOP = 'content_block_stop';

const sse = (...events: readonly { readonly type: string }[]): string =>
  events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');

const message = {
  id: 'msg_up',
  type: 'message',
  role: 'assistant',
  model: 'm',
  content: [],
  stop_reason: null,
  stop_sequence: null,
  usage: { input_tokens: 3, cache_creation_input_tokens: 2, output_tokens: 1 },
};
const messageStart = { type: 'message_start', message };
const blockStart = (index: number, block: object): { type: string } => ({
  type: START,
  ...{ index, content_block: block },
});
const blockDelta = (index: number, delta: object): { type: string } => ({
  type: DELTA,
  ...{ index, delta },
});
const blockStop = (index: number): { type: string } => ({ type: STOP, ...{ index } });
const textBlock = (index: number, ...parts: readonly string[]): { type: string }[] => [
  blockStart(index, { type: 'text', text: '' }),
  ...parts.map((part) => blockDelta(index, { type: 'text_delta', text: part })),
  blockStop(index),
];
const ending = (reason: string): { type: string }[] => [
  {
    type: 'message_delta',
    ...{ delta: { stop_reason: reason, stop_sequence: null }, usage: { output_tokens: 9 } },
  },
  { type: 'message_stop' },
];

/** What becomes of an upstream's stream where some of its events are told otherwise. */
function passOn(
  stream: string,
  change: (event: TurnEvent) => readonly TurnEvent[] = (event) => [event],
): string {
  const reader = new MessagesStreamReader();
  const writer = new MessagesWriter(OPTIONS);
  const frames = [...reader.feed(Buffer.from(stream)), ...reader.end()];
  const told = frames.map((frame) => {
    const events = frame.events.flatMap((event) =>
      event.type === 'call-fragment' ? [] : change(event),
    );
    return writer.write(events, frame);
  });
  return told.join('') + writer.end();
}

describe('a turn of a Messages upstream', () => {
  test('passes as it came where nothing is changed', () => {
    const stream = sse(
      messageStart,
      { type: 'ping' },
      blockStart(0, { type: 'thinking', thinking: '', signature: '' }),
      blockDelta(0, { type: 'thinking_delta', thinking: 'hm' }),
      blockDelta(0, { type: 'signature_delta', signature: 'c2ln' }),
      blockStop(0),
      ...textBlock(1, 'Hello', ' there'),
      blockStart(2, { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} }),
      blockDelta(2, { type: 'input_json_delta', partial_json: '{"query":"x"}' }),
      blockStop(2),
      { type: 'something_new', ...{ field: 1 } },
      ...ending('pause_turn'),
    );
    expect(passOn(stream)).toBe(stream);
    expect(seeStream(stream).problems).toEqual([]);
  });

  test('has its own indexes behind a call that was found in text', () => {
    const isMarkup = (event: TurnEvent): boolean => event.type === 'text' && event.text === '<c>';
    const stream = sse(
      messageStart,
      ...textBlock(0, 'Hi'),
      ...textBlock(1, '<c>'),
      blockStart(2, { type: 'redacted_thinking', data: 'x' }),
      blockStop(2),
      ...ending('end_turn'),
    );
    const seen = seeStream(passOn(stream, (event) => (isMarkup(event) ? [call(0)] : [event])));
    expect(seen).toMatchObject({ problems: [], stopReason: 'tool_use' });
    expect(seen.content).toEqual([
      { type: 'text', text: 'Hi' },
      { type: 'tool_use', id: 'toolu_0', name: 'read', input: { path: 'a' } },
      { type: 'redacted_thinking', data: 'x' },
    ]);
    expect(seen.events[0]).toEqual(messageStart);
    expect(seen.events.at(-2)).toMatchObject({ usage: { output_tokens: 9 } });
  });

  test('goes on in the block that is open when something is changed', () => {
    const stream = sse(messageStart, ...textBlock(0, 'a', 'b', 'c'), ...ending('end_turn'));
    const upper = (event: TurnEvent): TurnEvent[] =>
      event.type === 'text' && event.text === 'b' ? [text('B')] : [event];
    const seen = seeStream(passOn(stream, upper));
    expect(seen.problems).toEqual([]);
    expect(seen.content).toEqual([{ type: 'text', text: 'aBc' }]);
  });

  test('keeps signatures and citations with their blocks where it is written anew', () => {
    const citation = { type: 'char_location', cited_text: 'x' };
    const stream = sse(
      messageStart,
      ...textBlock(0, 'change'),
      blockStart(1, { type: 'thinking', thinking: '', signature: '' }),
      blockDelta(1, { type: 'thinking_delta', thinking: 'hm' }),
      blockDelta(1, { type: 'signature_delta', signature: 'c2ln' }),
      blockStop(1),
      ...textBlock(2, 'plain '),
      blockStart(3, { type: 'text', text: '', citations: [] }),
      blockDelta(3, { type: 'text_delta', text: 'cited' }),
      blockDelta(3, { type: 'citations_delta', citation }),
      blockStop(3),
      ...ending('end_turn'),
    );
    const change = (event: TurnEvent): TurnEvent[] =>
      event.type === 'text' && event.text === 'change' ? [] : [event];
    const seen = seeStream(passOn(stream, change));
    expect(seen.problems).toEqual([]);
    expect(seen.content).toEqual([
      { type: 'thinking', thinking: 'hm', signature: 'c2ln' },
      { type: 'text', text: 'plain ' },
      { type: 'text', text: 'cited', citations: [citation] },
    ]);
  });

  test('passes pings on where it is written anew', () => {
    const stream = sse(messageStart, ...textBlock(0, 'a'), { type: 'ping' }, ...ending('end_turn'));
    expect(seeStream(passOn(stream, (event) => [{ ...event }])).names).toContain('ping');
  });

  test('passes an error of the upstream on', () => {
    const error = { type: 'error', ...{ error: { type: 'overloaded_error', message: 'busy' } } };
    const stream = sse(messageStart, ...textBlock(0, 'a'), error);
    expect(passOn(stream)).toBe(stream);
  });

  test.each([
    ['events have no names', (stream: string) => stream.replace(/^event: .*\n/gm, '')],
    [
      'the start has no usage',
      (stream: string) => stream.replace('"usage":{"input', '"used":{"input'),
    ],
    [
      'the end has no usage',
      (stream: string) => stream.replace(',"usage":{"output_tokens":9}', ''),
    ],
    ['blocks have no indexes', (stream: string) => stream.replace(/"index":\d,/g, '')],
    ['blocks count from 1', (stream: string) => stream.replace(/"index":0/g, '"index":1')],
    ['the stop is missing', (stream: string) => stream.replace(/event: message_stop\n.*\n\n/, '')],
    ['the stop reason is null', (stream: string) => stream.replace('"end_turn"', 'null')],
    [
      'the start is missing',
      (stream: string) => stream.replace(/event: message_start\n.*\n\n/, ''),
    ],
    [
      'block ends are missing',
      (stream: string) => stream.replace(/event: content_block_stop\n.*\n\n/, ''),
    ],
    [
      'data has several lines',
      (stream: string) => stream.replaceAll(',"delta"', '\ndata: ,"delta"'),
    ],
    ['lines end in CRLF', (stream: string) => stream.replaceAll('\n', '\r\n')],
  ])('is right for its client where %s', (_, spoil) => {
    const right = sse(messageStart, ...textBlock(0, 'Hel', 'lo'), ...ending('end_turn'));
    const wrong = spoil(right);
    expect(wrong).not.toBe(right);
    const seen = seeStream(passOn(wrong));
    expect(seen).toMatchObject({ problems: [], stopReason: 'end_turn', error: undefined });
    expect(seen.content).toEqual([{ type: 'text', text: 'Hello' }]);
  });

  test('cannot smuggle events in by a name of several lines', () => {
    const evil = { type: 'x\ndata: {}\n\nevent: message_stop' };
    const stream = `data: ${JSON.stringify(evil)}\n\n${sse(messageStart, ...ending('end_turn'))}`;
    expect(seeStream(passOn(stream)).problems).toEqual([]);
  });
});
