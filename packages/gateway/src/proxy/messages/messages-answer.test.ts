import { describe, expect, test } from 'vitest';
import type { UpstreamEvent } from '../turn/upstream-event.ts';
import { messagesAnswer } from './messages-answer.ts';
import {
  call,
  done,
  finish,
  NO_FRAME,
  OPTIONS,
  start,
  text,
  thought,
  usage,
} from './messages-turn.case.ts';
import { readMessagesAnswer } from './read-messages-answer.ts';

const body = {
  id: 'msg_up',
  type: 'message',
  role: 'assistant',
  model: 'm',
  content: [
    { type: 'thinking', thinking: 'hm', signature: 'c2ln' },
    { type: 'text', text: 'Hi', citations: null },
    { type: 'server_tool_use', id: 's', name: 'web_search', input: { query: 'x' } },
  ],
  stop_reason: 'pause_turn',
  stop_sequence: null,
  container: { id: 'c' },
  usage: { input_tokens: 3, output_tokens: 4, cache_creation_input_tokens: 5 },
};

/** Events of an upstream without its calls. */
const told = (
  events: readonly UpstreamEvent[],
): Exclude<UpstreamEvent, { type: 'call-fragment' }>[] =>
  events.filter((event) => event.type !== 'call-fragment');

describe('a whole answer of a Chat upstream', () => {
  test('is a message', () => {
    const events = [start, thought('hm'), text('Hi'), call(0), finish('tool-calls'), usage, done];
    expect(messagesAnswer(events, NO_FRAME, OPTIONS)).toEqual({
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'qwen3',
      content: [
        { type: 'thinking', thinking: 'hm', signature: '' },
        { type: 'text', text: 'Hi' },
        { type: 'tool_use', id: 'toolu_0', name: 'read', input: { path: 'a' } },
      ],
      stop_reason: 'tool_use',
      stop_sequence: null,
      usage: { input_tokens: 11, output_tokens: 5 },
    });
  });

  test('without anything is an empty message with the estimated usage', () => {
    expect(messagesAnswer([], NO_FRAME, OPTIONS)).toMatchObject({
      model: 'asked',
      content: [],
      stop_reason: 'end_turn',
      usage: { input_tokens: 7, output_tokens: 0 },
    });
  });
});

describe('a whole answer of a Messages upstream', () => {
  test('stays as it came where nothing is changed', () => {
    const frame = readMessagesAnswer(JSON.stringify(body));
    expect(messagesAnswer(told(frame.events), frame, OPTIONS)).toBe(frame.body);
    expect(frame.body).toEqual(body);
  });

  test('keeps what it has besides the change', () => {
    const frame = readMessagesAnswer(JSON.stringify(body));
    const events = told(frame.events).map((event) => (event.type === 'text' ? call(0) : event));
    expect(messagesAnswer(events, frame, OPTIONS)).toEqual({
      ...body,
      content: [
        body.content[0],
        { type: 'tool_use', id: 'toolu_0', name: 'read', input: { path: 'a' } },
        body.content[2],
      ],
      stop_reason: 'tool_use',
    });
  });

  test.each([
    ['usage', { usage: undefined }],
    ['an id', { id: undefined }],
    ['a stop reason', { stop_reason: null }],
    ['a list of blocks', { content: 'Hi' }],
  ])('is a message with %s even where it had none', (_, wrong) => {
    const frame = readMessagesAnswer(JSON.stringify({ ...body, ...wrong }));
    const answer = messagesAnswer(told(frame.events), frame, OPTIONS);
    expect(answer['content']).toContainEqual({ type: 'text', text: 'Hi' });
    expect(answer).toMatchObject({ type: 'message', role: 'assistant' });
    expect(answer['id']).toMatch(/^msg_/);
    expect(answer['stop_reason']).toMatch(/_turn$/);
    expect(answer['usage']).toMatchObject({
      input_tokens: expect.any(Number) as number,
      output_tokens: expect.any(Number) as number,
    });
  });
});

describe('reading a whole answer', () => {
  const read = (value: unknown): readonly UpstreamEvent[] =>
    readMessagesAnswer(typeof value === 'string' ? value : JSON.stringify(value)).events;

  test('finds what a stream would have had', () => {
    const citation = { cited_text: 'x' };
    const content = [
      { type: 'text', text: 'Hi', citations: [citation] },
      { type: 'tool_use', id: 'a', name: 'Read', input: { path: 'x' } },
      { type: 'tool_use', id: 'b', name: 'List', input: {} },
    ];
    const cited = { type: 'text', text: '', citations: [] };
    expect(read({ ...body, content, stop_reason: 'tool_use' })).toEqual([
      { type: 'start', id: 'msg_up', model: 'm' },
      {
        type: 'opaque',
        choice: 0,
        content: { type: 'content_block_start', content_block: cited },
      },
      { type: 'text', choice: 0, text: 'Hi' },
      {
        type: 'opaque',
        choice: 0,
        content: { type: 'content_block_delta', delta: { type: 'citations_delta', citation } },
      },
      { type: 'call-fragment', choice: 0, slot: 0, id: 'a', name: 'Read' },
      { type: 'call-fragment', choice: 0, slot: 0, json: '{"path":"x"}' },
      { type: 'call-fragment', choice: 0, slot: 1, id: 'b', name: 'List' },
      { type: 'finish', choice: 0, reason: 'tool-calls' },
      { type: 'usage', usage: { inputTokens: 8, outputTokens: 4 } },
      { type: 'done' },
    ]);
  });

  test.each([
    ['<html>', 'no JSON object'],
    ['[]', 'no JSON object'],
    [{ type: 'error', error: { type: 'api_error', message: 'broken' } }, 'broken'],
    [{ error: { message: 'broken' } }, 'broken'],
  ])('%j is an error', (value, message) => {
    const events = read(value);
    expect(events).toMatchObject([{ type: 'error' }]);
    expect(JSON.stringify(events)).toContain(message);
  });
});
