import { describe, expect, test } from 'vitest';
import type { TurnEvent } from '../turn/turn-event.ts';
import {
  call,
  done,
  finish,
  opaque,
  start,
  text,
  thought,
  usage,
  writeTurn,
} from './responses-turn.case.ts';

describe('a turn of a Chat upstream', () => {
  test('is told with every event that clients need', () => {
    const seen = writeTurn([
      start,
      text('Hel'),
      text('lo'),
      call(0),
      finish('tool-calls'),
      usage,
      done,
    ]);
    expect(seen.problems).toEqual([]);
    expect(seen.names).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.content_part.added',
      'response.output_text.delta',
      'response.output_text.delta',
      'response.output_text.done',
      'response.content_part.done',
      'response.output_item.done',
      'response.output_item.added',
      'response.function_call_arguments.delta',
      'response.function_call_arguments.done',
      'response.output_item.done',
      'response.completed',
    ]);
    expect(seen.output).toEqual([
      {
        id: 'msg_2',
        type: 'message',
        status: 'completed',
        role: 'assistant',
        content: [{ type: 'output_text', annotations: [], logprobs: [], text: 'Hello' }],
      },
      {
        id: 'fc_3',
        type: 'function_call',
        status: 'completed',
        arguments: '{"path":"a"}',
        call_id: 'call_0',
        name: 'read',
      },
    ]);
  });

  test('ends in a response with what was asked and what it cost', () => {
    const turn = [start, text('x'), finish('stop'), usage, done];
    const { response } = writeTurn(turn, {
      temperature: 0.2,
      metadata: { a: 'b' },
      store: true,
      service_tier: null,
    });
    expect(response).toMatchObject({
      id: 'resp_1',
      object: 'response',
      created_at: 5,
      model: 'qwen3',
      status: 'completed',
      error: null,
      incomplete_details: null,
      temperature: 0.2,
      metadata: { a: 'b' },
      tool_choice: 'auto',
      store: false,
      service_tier: 'default',
      usage: {
        input_tokens: 11,
        input_tokens_details: { cached_tokens: 0 },
        output_tokens: 5,
        output_tokens_details: { reasoning_tokens: 0 },
        total_tokens: 16,
      },
    });
  });

  test('waits for the usage, which may come behind the finish', () => {
    const seen = writeTurn([start, text('x'), finish('stop'), usage]);
    expect(seen.problems).toEqual([]);
    expect(seen.response).toMatchObject({ usage: { total_tokens: 16 } });
  });

  test('tells reasoning as a summary, which all clients show', () => {
    const seen = writeTurn([start, thought('h'), thought('m'), text('x'), finish('stop'), done]);
    expect(seen.problems).toEqual([]);
    expect(seen.output[0]).toEqual({
      id: 'rs_2',
      type: 'reasoning',
      summary: [{ type: 'summary_text', text: 'hm' }],
    });
    expect(seen.names.slice(2, 9)).toEqual([
      'response.output_item.added',
      'response.reasoning_summary_part.added',
      'response.reasoning_summary_text.delta',
      'response.reasoning_summary_text.delta',
      'response.reasoning_summary_text.done',
      'response.reasoning_summary_part.done',
      'response.output_item.done',
    ]);
  });

  test('tells a call of a custom tool as its text', () => {
    const seen = writeTurn([start, call(0, 'patch', { input: '*** Begin' }), finish('stop'), done]);
    expect(seen.problems).toEqual([]);
    expect(seen.names).toContain('response.custom_tool_call_input.delta');
    expect(seen.names).toContain('response.custom_tool_call_input.done');
    expect(seen.output).toEqual([
      {
        id: 'ctc_2',
        type: 'custom_tool_call',
        status: 'completed',
        input: '*** Begin',
        call_id: 'call_0',
        name: 'patch',
      },
    ]);
  });

  test('tells a custom tool that is called with something else all of it', () => {
    const { output } = writeTurn([call(0, 'patch', { file: 'a' }), finish('stop'), done]);
    expect(output[0]).toMatchObject({ input: '{"file":"a"}' });
  });

  test('names the namespace of a tool', () => {
    const { output } = writeTurn([call(0, 'agents__spawn', {}), finish('stop'), done]);
    expect(output[0]).toMatchObject({ name: 'spawn', namespace: 'agents', arguments: '{}' });
  });

  test('tells a refusal as one', () => {
    const seen = writeTurn([start, opaque({ refusal: 'No.' }), finish('stop'), done]);
    expect(seen.problems).toEqual([]);
    expect(seen.output[0]).toMatchObject({ content: [{ type: 'refusal', refusal: 'No.' }] });
  });

  test('is incomplete where it was cut, and so is its last message', () => {
    const seen = writeTurn([start, text('a'), call(0), text('b'), finish('length'), done]);
    expect(seen.problems).toEqual([]);
    expect(seen.names.at(-1)).toBe('response.incomplete');
    expect(seen.output.map(({ status }) => status)).toEqual([
      'completed',
      'completed',
      'incomplete',
    ]);
    expect(seen.response).toMatchObject({
      status: 'incomplete',
      incomplete_details: { reason: 'max_output_tokens' },
    });
  });

  test('says that a filter cut it', () => {
    const { response } = writeTurn([start, text('a'), finish('content-filter'), done]);
    expect(response).toMatchObject({ incomplete_details: { reason: 'content_filter' } });
  });

  test('is an output of nothing where nothing was said', () => {
    const seen = writeTurn([start, finish('stop'), done]);
    expect(seen.problems).toEqual([]);
    expect(seen.response).toMatchObject({ status: 'completed', output: [] });
  });

  test('has one answer', () => {
    const other: TurnEvent = { type: 'text', choice: 1, text: 'other' };
    expect(writeTurn([start, other, text('a'), finish('stop'), done]).output).toHaveLength(1);
  });
});

describe('a turn that fails', () => {
  test('is an error for all clients, and no finished message', () => {
    const error: TurnEvent = { type: 'error', error: { kind: 'overloaded', message: 'busy' } };
    const seen = writeTurn([start, call(0), text('a'), error]);
    expect(seen.problems).toEqual([]);
    expect(seen.names.slice(-2)).toEqual(['error', 'response.failed']);
    expect(seen.events.at(-2)).toMatchObject({ code: 'server_is_overloaded', message: 'busy' });
    expect(seen.response).toMatchObject({
      status: 'failed',
      error: { code: 'server_is_overloaded', message: 'busy' },
      output: [{ type: 'function_call' }],
    });
  });

  test('tells Codex how long to wait', () => {
    const error = { kind: 'rate-limited', message: 'slow', retryAfterMs: 2500 } as const;
    const { response } = writeTurn([start, { type: 'error', error }]);
    expect(response).toMatchObject({
      error: { code: 'rate_limit_exceeded', message: 'slow Please try again in 3s.' },
    });
  });

  test('is an error where the upstream never finished', () => {
    expect(writeTurn([start, text('a')]).names.at(-1)).toBe('response.failed');
    expect(writeTurn([]).names).toEqual([
      'response.created',
      'response.in_progress',
      'error',
      'response.failed',
    ]);
  });
});

describe('calls that are told while they are read', () => {
  const begin = (index: number, name: string): TurnEvent => ({
    ...{ type: 'call-start', choice: 0, index, name },
    id: `call_${index}`,
  });
  const part = (index: number, json: string): TurnEvent => ({
    ...{ type: 'call-delta', choice: 0, index, json },
  });
  const end = (index: number): TurnEvent => ({ type: 'call-end', choice: 0, index });

  test('come in pieces, side by side', () => {
    const seen = writeTurn([
      ...[start, text('a'), begin(0, 'read'), part(0, '{"a"'), begin(1, 'read'), part(0, ':1}')],
      ...[end(0), end(1), finish('tool-calls'), done],
    ]);
    expect(seen.problems).toEqual([]);
    expect(seen.output.slice(1)).toMatchObject([{ arguments: '{"a":1}' }, { arguments: '{}' }]);
  });

  test('are held back where the tool takes text', () => {
    const seen = writeTurn([
      ...[start, begin(0, 'patch'), part(0, '{"input":'), text('meanwhile'), part(0, '"x"}')],
      ...[end(0), finish('tool-calls'), done],
    ]);
    expect(seen.problems).toEqual([]);
    expect(seen.output[1]).toMatchObject({ type: 'custom_tool_call', input: 'x' });
  });

  test('are an error where they are not ended', () => {
    const seen = writeTurn([start, begin(0, 'read'), part(0, '{'), finish('length'), done]);
    expect(seen.names.at(-1)).toBe('response.failed');
    expect(seen.output).toEqual([]);
  });
});
