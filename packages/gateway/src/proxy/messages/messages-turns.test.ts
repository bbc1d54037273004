import type { JsonObject } from '@holdfast/core';
import { createDefaultRegistry } from '@holdfast/core/parse';
import { describe, expect, test } from 'vitest';
import { textOf } from '../json/json-fields.ts';
import { TurnReader } from '../turn/turn-reader.ts';
import { messagesAnswer } from './messages-answer.ts';
import { seeStream } from './messages-stream.case.ts';
import type { SeenStream } from './messages-stream.case.ts';
import { NO_FRAME, OPTIONS } from './messages-turn.case.ts';
import { MessagesWriter } from './messages-writer.ts';
import { readMessagesAnswer } from './read-messages-answer.ts';
import { MessagesStreamReader } from './read-messages-stream.ts';

const REGISTRY = createDefaultRegistry();
const TOOLS = [
  { name: 'Read', parameters: { type: 'object', properties: { path: { type: 'string' } } } },
];
const CALL = '<tool_call>{"name": "Read", "arguments": {"path": "a.ts"}}</tool_call>';
const READ = { type: 'tool_use', name: 'Read', input: { path: 'a.ts' } };

function turnReader(): TurnReader {
  let ids = 0;
  return new TurnReader({
    tools: TOOLS,
    model: 'm',
    registry: REGISTRY,
    callsInReasoning: 'if-unclosed',
    bareCalls: true,
    eager: false,
    nextId: () => `toolu_${++ids}`,
  });
}

const message = { id: 'msg_up', type: 'message', role: 'assistant', model: 'm' };
const usage = { input_tokens: 3, output_tokens: 1 };

/** The stream of an upstream that sends its texts in small pieces. */
function streamOf(content: readonly JsonObject[], reason: string): string {
  const cut = (value: string): string[] => value.match(/.{1,4}/gs) ?? [];
  const parts: { type: string }[] = [];
  for (const [index, block] of content.entries()) {
    const start = (first: JsonObject): void => {
      parts.push({ type: 'content_block_start', ...{ index, content_block: first } });
    };
    const delta = (part: JsonObject): void => {
      parts.push({ type: 'content_block_delta', ...{ index, delta: part } });
    };
    if (block['type'] === 'text') {
      start({ type: 'text', text: '' });
      for (const text of cut(textOf(block['text']))) delta({ type: 'text_delta', text });
    } else {
      start({ ...block, input: {} });
      for (const piece of cut(JSON.stringify(block['input'])))
        delta({ type: 'input_json_delta', partial_json: piece });
    }
    parts.push({ type: 'content_block_stop', ...{ index } });
  }
  const events = [
    { type: 'message_start', message: { ...message, content: [], usage } },
    ...parts,
    { type: 'message_delta', delta: { stop_reason: reason }, usage: { output_tokens: 9 } },
    { type: 'message_stop' },
  ];
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
}

function relay(stream: string): SeenStream {
  const frames = new MessagesStreamReader();
  const reader = turnReader();
  const writer = new MessagesWriter(OPTIONS);
  let out = '';
  for (const frame of [...frames.feed(Buffer.from(stream)), ...frames.end()])
    out += writer.write(reader.read(frame.events), frame);
  out += writer.write(reader.end(), NO_FRAME);
  return seeStream(out + writer.end());
}

function relayWhole(content: readonly JsonObject[], reason: string): JsonObject {
  const body = { ...message, content, stop_reason: reason, stop_sequence: null, usage };
  const frame = readMessagesAnswer(JSON.stringify(body));
  const reader = turnReader();
  return messagesAnswer([...reader.read(frame.events), ...reader.end()], frame, OPTIONS);
}

const text = (value: string): JsonObject => ({ type: 'text', text: value });

describe.each([
  ['text only', [text('Nothing to do.')], 'end_turn', [text('Nothing to do.')], 'end_turn'],
  ['a call in text', [text(CALL)], 'end_turn', [READ], 'tool_use'],
  [
    'a call between texts',
    [text(`Let me see. ${CALL} And now?`)],
    'end_turn',
    [text('Let me see. '), READ, text(' And now?')],
    'tool_use',
  ],
  [
    'a call that the upstream read',
    [text('Hm.'), { ...READ, id: 'toolu_up' }],
    'tool_use',
    [text('Hm.'), READ],
    'tool_use',
  ],
  [
    'a call that the upstream read and called an end',
    [{ ...READ, id: 'toolu_up' }],
    'end_turn',
    [READ],
    'tool_use',
  ],
  [
    'a call in a name of another case',
    [{ ...READ, name: 'read', id: 'toolu_up' }],
    'tool_use',
    [READ],
    'tool_use',
  ],
  [
    'a cut call',
    [text('Hm. <tool_call>{"name": "Read", "arg')],
    'max_tokens',
    undefined,
    'max_tokens',
  ],
])('a Messages upstream that answers with %s', (_, content, reason, expected, stopReason) => {
  test('is told in the right order, the same as a stream and whole', () => {
    const seen = relay(streamOf(content, reason));
    const whole = relayWhole(content, reason);
    expect(seen.problems).toEqual([]);
    expect(seen.stopReason).toBe(stopReason);
    expect(seen.content).toMatchObject(expected ?? content);
    expect(withoutIds(seen.content)).toEqual(withoutIds(whole['content'] as JsonObject[]));
    expect(whole['stop_reason']).toBe(stopReason);
  });

  test('never has a call finished that is cut anywhere', () => {
    const stream = streamOf(content, reason);
    const end = stream.indexOf('event: message_delta');
    for (let at = 0; at < end; at += 23) {
      const seen = relay(stream.slice(0, at));
      expect(seen.problems).toEqual([]);
      expect(seen.error).toMatchObject({ type: 'error', error: { type: 'api_error' } });
      expect(seen.stopReason).toBeUndefined();
      const calls = seen.content.filter(({ type }) => type === 'tool_use');
      for (const call of calls) expect(call).toMatchObject(READ);
    }
  });
});

function withoutIds(blocks: readonly JsonObject[]): JsonObject[] {
  return blocks.map((block) =>
    Object.fromEntries(Object.entries(block).filter(([key]) => key !== 'id')),
  );
}

test('a turn that needs no change passes as the upstream wrote it', () => {
  const stream = streamOf([text('Just words, and more of them.')], 'end_turn');
  const frames = new MessagesStreamReader();
  const reader = turnReader();
  const writer = new MessagesWriter(OPTIONS);
  const told = frames
    .feed(Buffer.from(stream))
    .map((frame) => writer.write(reader.read(frame.events), frame));
  expect(told.join('')).toBe(stream);
});
