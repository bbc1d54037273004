import { describe, expect, test } from 'vitest';
import type { TurnEvent } from '../turn/turn-event.ts';
import {
  call,
  done,
  finish,
  start,
  text,
  thought,
  usage,
  writeTurn,
} from './messages-turn.case.ts';

const START = 'content_block_start';
const DELTA = 'content_block_delta';
const STOP = 'content_block_stop';

describe('a turn of a Chat upstream', () => {
  test('has the order that clients rely on', () => {
    const seen = writeTurn([
      start,
      text('Hi'),
      text('!'),
      call(0),
      finish('tool-calls'),
      usage,
      done,
    ]);
    expect(seen.problems).toEqual([]);
    expect(seen.names).toEqual([
      'message_start',
      ...[START, DELTA, DELTA, STOP],
      ...[START, DELTA, STOP],
      'message_delta',
      'message_stop',
    ]);
    expect(seen.content).toEqual([
      { type: 'text', text: 'Hi!' },
      { type: 'tool_use', id: 'toolu_0', name: 'read', input: { path: 'a' } },
    ]);
  });

  test('starts with an id like those of Anthropic, the model that answers and an estimated usage', () => {
    expect(writeTurn([start, finish('stop'), done]).events[0]).toEqual({
      type: 'message_start',
      message: {
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        model: 'qwen3',
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: { input_tokens: 7, output_tokens: 0 },
      },
    });
  });

  test('ends with the usage that came after the finish reason', () => {
    const cached = { inputTokens: 11, outputTokens: 5, cachedTokens: 4 };
    const seen = writeTurn([text('a'), finish('stop'), { type: 'usage', usage: cached }, done]);
    expect(seen.events.at(-2)).toEqual({
      type: 'message_delta',
      delta: { stop_reason: 'end_turn', stop_sequence: null },
      usage: { input_tokens: 7, cache_read_input_tokens: 4, output_tokens: 5 },
    });
  });

  test('gives a call in one piece, with no input at its start', () => {
    const { events } = writeTurn([call(0), finish('tool-calls'), done]);
    expect(events.slice(1, 4)).toEqual([
      {
        type: START,
        index: 0,
        content_block: { type: 'tool_use', id: 'toolu_0', name: 'read', input: {} },
      },
      {
        type: DELTA,
        index: 0,
        delta: { type: 'input_json_delta', partial_json: '{"path":"a"}' },
      },
      { type: STOP, index: 0 },
    ]);
  });

  test('has a block for each stretch of thinking and of text', () => {
    const seen = writeTurn([
      thought('a'),
      thought('b'),
      text('c'),
      thought('d'),
      finish('stop'),
      done,
    ]);
    expect(seen.problems).toEqual([]);
    expect(seen.content).toEqual([
      { type: 'thinking', thinking: 'ab', signature: '' },
      { type: 'text', text: 'c' },
      { type: 'thinking', thinking: 'd', signature: '' },
    ]);
  });

  test('without content is a message all the same', () => {
    const seen = writeTurn([start, text(''), finish('stop'), done]);
    expect(seen).toMatchObject({ problems: [], content: [], stopReason: 'end_turn' });
  });

  test('without [DONE] is closed when the upstream ends', () => {
    const seen = writeTurn([text('a'), finish('stop')]);
    expect(seen).toMatchObject({ problems: [], stopReason: 'end_turn' });
  });

  test.each([
    { events: [finish('stop')], reason: 'end_turn' },
    { events: [finish('length')], reason: 'max_tokens' },
    { events: [finish('content-filter')], reason: 'refusal' },
    { events: [call(0), finish('tool-calls')], reason: 'tool_use' },
    { events: [call(0), finish('stop')], reason: 'tool_use' },
    { events: [call(0), finish('length')], reason: 'max_tokens' },
    { events: [finish('tool-calls')], reason: 'end_turn' },
    { events: [call(0)], reason: 'tool_use' },
  ])('$reason is why it stopped ($events.length events)', ({ events, reason }) => {
    expect(writeTurn([...events, done])).toMatchObject({ problems: [], stopReason: reason });
  });

  test('names the sequence it stopped at', () => {
    const stop = {
      type: 'finish',
      choice: 0,
      reason: 'stop-sequence',
      stopSequence: '##',
    } as const;
    expect(writeTurn([text('a'), stop, done]).events.at(-2)).toMatchObject({
      delta: { stop_reason: 'stop_sequence', stop_sequence: '##' },
    });
  });

  test('tells a refusal as the text it is', () => {
    const refusal: TurnEvent = { type: 'opaque', choice: 0, content: { refusal: 'No.' } };
    const seen = writeTurn([refusal, finish('stop'), done]);
    expect(seen.content).toEqual([{ type: 'text', text: 'No.' }]);
  });

  test('leaves out the answers of other choices', () => {
    const seen = writeTurn([
      text('a'),
      { type: 'text', choice: 1, text: 'b' },
      finish('stop'),
      done,
    ]);
    expect(seen.content).toEqual([{ type: 'text', text: 'a' }]);
  });
});

describe('a turn that fails', () => {
  const error: TurnEvent = { type: 'error', error: { kind: 'upstream', message: 'gone' } };

  test('ends in an error event, and nothing follows', () => {
    const seen = writeTurn([start, text('a'), error, text('b'), finish('stop'), done]);
    expect(seen.problems).toEqual([]);
    expect(seen.names.at(-1)).toBe('error');
    expect(seen.error).toEqual({ type: 'error', error: { type: 'api_error', message: 'gone' } });
  });

  test('ends in an error event where the upstream just stops', () => {
    const seen = writeTurn([start, text('a'), call(0)]);
    expect(seen.names.at(-1)).toBe('error');
    expect(seen.stopReason).toBeUndefined();
  });

  test('never finishes a call that was begun and is cut', () => {
    const begun: TurnEvent = { type: 'call-start', choice: 0, index: 0, id: 'toolu_0', name: 'rm' };
    const part: TurnEvent = { type: 'call-delta', choice: 0, index: 0, json: '{"path":"/' };
    const seen = writeTurn([begun, part, finish('length'), done]);
    expect(seen.problems).toEqual([]);
    expect(seen.content).toEqual([]);
    expect(JSON.stringify(seen.error)).toContain('inside a call');
  });
});

describe('a call that is told while it is read', () => {
  const begun: TurnEvent = { type: 'call-start', choice: 0, index: 0, id: 'toolu_0', name: 'ls' };
  const part = (json: string): TurnEvent => ({ type: 'call-delta', choice: 0, index: 0, json });
  const over: TurnEvent = { type: 'call-end', choice: 0, index: 0 };

  test('has its arguments in pieces', () => {
    const seen = writeTurn([
      text('a'),
      begun,
      part('{"p":'),
      part('1}'),
      over,
      finish('stop'),
      done,
    ]);
    expect(seen).toMatchObject({ problems: [], stopReason: 'tool_use' });
    expect(seen.content[1]).toMatchObject({ type: 'tool_use', input: { p: 1 } });
  });

  test('has `{}` for arguments where there are none', () => {
    const seen = writeTurn([begun, over, finish('stop'), done]);
    expect(seen.events[2]).toMatchObject({ delta: { partial_json: '{}' } });
  });
});
