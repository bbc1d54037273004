import type { JsonObject } from '@holdfast/core';
import { describe, expect, test } from 'vitest';
import type { TurnEvent } from '../turn/turn-event.ts';
import { readResponsesAnswer } from './read-responses-answer.ts';
import { responsesAnswer } from './responses-answer.ts';
import { completed, functionCall, message, reasoning, SEARCH } from './responses-stream.case.ts';
import {
  call,
  done,
  finish,
  NO_FRAME,
  options,
  start,
  text,
  thought,
  usage,
} from './responses-turn.case.ts';

function bodyOf(output: readonly JsonObject[], more: JsonObject = {}): JsonObject {
  return completed(output, more)['response'] as JsonObject;
}

/** What a client gets of an upstream's whole response where some of its events are told otherwise. */
function answer(
  body: JsonObject,
  change: (event: TurnEvent) => readonly TurnEvent[] = (event) => [event],
): string {
  const frame = readResponsesAnswer(JSON.stringify(body, null, 1));
  const told = frame.events.flatMap((event) =>
    event.type === 'call-fragment' ? [] : change(event),
  );
  return responsesAnswer(told, frame, options());
}

describe('a whole turn', () => {
  test('of a Chat upstream is a response', () => {
    const events = [start, thought('hm'), text('Hi'), call(0), finish('tool-calls'), usage, done];
    const told = JSON.parse(responsesAnswer(events, NO_FRAME, options())) as JsonObject;
    expect(told).toMatchObject({
      id: 'resp_4',
      object: 'response',
      created_at: 5,
      model: 'qwen3',
      status: 'completed',
      output: [
        { type: 'reasoning', summary: [{ text: 'hm' }] },
        { type: 'message', content: [{ text: 'Hi' }] },
        { type: 'function_call', arguments: '{"path":"a"}' },
      ],
      usage: { total_tokens: 16 },
    });
    expect(told).not.toHaveProperty('output_text');
  });

  test('that was cut is incomplete', () => {
    const events = [start, text('Hi'), finish('length'), done];
    expect(JSON.parse(responsesAnswer(events, NO_FRAME, options()))).toMatchObject({
      status: 'incomplete',
      incomplete_details: { reason: 'max_output_tokens' },
      output: [{ status: 'incomplete' }],
    });
  });

  test('of a Responses upstream stays as it came, byte for byte, where nothing is changed', () => {
    const body = bodyOf([reasoning('rs_1', 'hm'), SEARCH, message('msg_1', 'Hi')]);
    expect(answer(body)).toBe(JSON.stringify(body, null, 1));
  });

  test('of a Responses upstream keeps all around a call that was found in text', () => {
    const likely = { ...message('msg_2', 'more'), phase: 'final_answer' };
    const body = bodyOf([reasoning('rs_1', 'hm', 'so'), message('msg_1', '<c>'), SEARCH, likely]);
    const told = answer(body, (event) =>
      event.type === 'text' && event.text === '<c>' ? [call(0)] : [event],
    );
    expect(JSON.parse(told)).toEqual({
      ...DEFAULTS,
      ...body,
      output: [
        reasoning('rs_1', 'hm', 'so'),
        {
          id: 'fc_1',
          type: 'function_call',
          status: 'completed',
          arguments: '{"path":"a"}',
          call_id: 'call_0',
          name: 'read',
        },
        SEARCH,
        likely,
      ],
    });
  });

  test('of a Responses upstream keeps its own items beside a call of its own', () => {
    const [part] = message('msg_1', 'Hi')['content'] as readonly JsonObject[];
    const logprobs = [{ token: 'Hi', logprob: -1, bytes: [], top_logprobs: [] }];
    const likely = { ...message('msg_1', 'Hi'), content: [{ ...part, logprobs }] };
    const own = { ...functionCall('fc_1', 'read', '{"path":"a"}'), async: false };
    const told = call(0) as Extract<TurnEvent, { type: 'call' }>;
    const output = answer(bodyOf([likely, own]), (event) =>
      event.type === 'finish'
        ? [{ ...told, call: { ...told.call, id: 'call_fc_1' } }, event]
        : [event],
    );
    expect(JSON.parse(output)).toMatchObject({ output: [likely, own] });
  });

  test.each<[string, (body: JsonObject) => JsonObject]>([
    ['an id', ({ id: _id, ...body }) => body],
    ['a model', ({ model: _model, ...body }) => body],
    ['a time', ({ created_at: _time, ...body }) => body],
    ['a status', ({ status: _status, ...body }) => body],
    ['a number of its usage', (body) => ({ ...body, usage: { input_tokens: 3 } })],
    ['ids of its items', (body) => ({ ...body, output: [{ ...message('', 'Hi') }] })],
  ])('of a Responses upstream is right where it lacks %s', (_, spoil) => {
    const told = JSON.parse(answer(spoil(bodyOf([message('msg_1', 'Hi')])))) as JsonObject;
    expect(told).toMatchObject({ object: 'response', status: 'completed' });
    expect(told['id']).toMatch(/^resp_/);
    expect(told['model']).toMatch(/^(m|asked)$/);
    expect(told['created_at']).toBeTypeOf('number');
    expect(told['usage']).toMatchObject({ input_tokens: 3 });
    expect(told['output']).toMatchObject([{ id: expect.stringMatching(/^msg_/) as string }]);
  });
});

/** What a response says where neither the request nor the upstream does. */
const DEFAULTS = {
  error: null,
  incomplete_details: null,
  instructions: null,
  max_output_tokens: null,
  metadata: {},
  parallel_tool_calls: true,
  previous_response_id: null,
  reasoning: { effort: null, summary: null },
  service_tier: 'default',
  store: false,
  temperature: 1,
  text: { format: { type: 'text' } },
  tool_choice: 'auto',
  tools: options().request.body['tools'],
  top_p: 1,
  truncation: 'disabled',
};
