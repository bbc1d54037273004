import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { CallShape } from './call-shape.ts';
import { chatAnswer } from './chat-answer.ts';
import {
  contentOf,
  createTurnReader,
  FALLBACK,
  framesOf,
  readTurn,
  sse,
} from './chat-stream.case.ts';
import { readChatAnswer } from './read-chat-answer.ts';

interface Answer {
  readonly id: string;
  readonly usage?: unknown;
  readonly choices: readonly { readonly message: Readonly<Record<string, unknown>> }[];
}

function relay(body: unknown, shape?: CallShape): string {
  const frame = readChatAnswer(typeof body === 'string' ? body : JSON.stringify(body));
  const reader = createTurnReader();
  return chatAnswer([...reader.read(frame.events), ...reader.end()], frame, FALLBACK, shape);
}

function answer(message: object, finish: string | null = 'stop', more: object = {}): object {
  const choices = [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: finish }];
  return { id: 'c1', object: 'chat.completion', created: 5, model: 'm', choices, ...more };
}

function messageIn(text: string): unknown {
  return (JSON.parse(text) as Answer).choices[0]?.message;
}

const call = { id: 'call_1', type: 'function', function: { name: 'f', arguments: '{"x":1}' } };
const CALL_TEXT = '<tool_call>{"name":"f","arguments":{"x":1}}</tool_call>';

describe('chatAnswer', () => {
  test('leaves an answer that needs no change as it came, down to its spaces', () => {
    const body = JSON.stringify(
      answer({ content: 'Hi', refusal: null }, 'stop', { extra: 1 }),
      null,
      2,
    );
    expect(relay(body)).toBe(body);
  });

  test('tells a call that was text, and keeps all else that was said', () => {
    const usage = { prompt_tokens: 1, completion_tokens: 2, prompt_tokens_details: { x: 1 } };
    const body = answer({ content: CALL_TEXT, annotations: [] }, 'stop', { usage, extra: [1] });
    expect(JSON.parse(relay(body))).toEqual({
      id: 'c1',
      object: 'chat.completion',
      created: 5,
      model: 'm',
      usage,
      extra: [1],
      choices: [
        {
          index: 0,
          message: {
            role: 'assistant',
            content: null,
            annotations: [],
            tool_calls: [{ ...call, id: expect.any(String) as string }],
          },
          finish_reason: 'tool_calls',
        },
      ],
    });
  });

  test.each([
    ['arguments as an object', [{ ...call, function: { name: 'f', arguments: { x: 1 } } }]],
    ['no type', [{ id: 'call_1', function: call.function }]],
    ['an index', [{ ...call, index: 1 }]],
    ['fields beside the id', [{ id: 'call_1', name: 'f', arguments: '{"x":1}' }]],
  ])('mends a call with %s', (_, calls) => {
    const out = relay(answer({ content: '', tool_calls: calls }, 'stop'));
    expect(messageIn(out)).toEqual({ role: 'assistant', content: null, tool_calls: [call] });
    expect(out).toContain('"finish_reason":"tool_calls"');
  });

  test.each([
    ['a missing id', { tool_calls: [{ type: 'function', function: { name: 'f' } }] }],
    ['the older function_call', { function_call: { name: 'f', arguments: '' } }],
  ])('makes a whole call of one with %s', (_, message) => {
    expect(messageIn(relay(answer({ content: null, ...message }, 'function_call')))).toEqual({
      role: 'assistant',
      content: null,
      tool_calls: [
        { id: 'call_made_up_0', type: 'function', function: { name: 'f', arguments: '{}' } },
      ],
    });
  });

  test.each([
    ['an empty list of calls', { content: 'Hi', tool_calls: [] }],
    ['a content of parts', { content: [{ type: 'text', text: 'H' }, 'i'] }],
  ])('mends a message with %s', (_, message) => {
    expect(messageIn(relay(answer(message)))).toEqual({ role: 'assistant', content: 'Hi' });
  });

  test('tells no call of an answer that was cut', () => {
    const cut = { ...call, function: { name: 'f', arguments: '{"x"' } };
    const out = relay(answer({ content: '', tool_calls: [cut] }, 'length'));
    expect(messageIn(out)).not.toHaveProperty('tool_calls');
    expect(out).toContain('"finish_reason":"length"');
  });

  test.each([
    ['reasoning_content', { reasoning_content: 'hm', content: 'Hi', tool_calls: [] }],
    ['reasoning', { reasoning: 'hm', content: 'Hi', tool_calls: [] }],
    ['reasoning_content', { content: '<think>hm</think>Hi' }],
  ])('tells reasoning in %s', (field, message) => {
    expect(messageIn(relay(answer(message)))).toEqual({
      role: 'assistant',
      content: 'Hi',
      [field]: 'hm',
    });
  });

  test('tells a client of the older protocol the one call it can take', () => {
    const out = relay(answer({ content: CALL_TEXT }), 'function_call');
    expect(messageIn(out)).toEqual({
      role: 'assistant',
      content: null,
      function_call: { name: 'f', arguments: '{"x":1}' },
    });
    expect(out).toContain('"finish_reason":"function_call"');
  });

  test('keeps a refusal, and calls of custom tools', () => {
    const custom = { id: 'call_c', type: 'custom', custom: { name: 'p', input: 'i' } };
    const out = relay(
      answer({ content: null, refusal: 'No.', tool_calls: [custom, call] }, 'tool_calls'),
    );
    expect(messageIn(out)).toEqual({
      role: 'assistant',
      content: null,
      refusal: 'No.',
      tool_calls: [custom, call],
    });
  });

  test('says why every choice ended, and makes up what is missing', () => {
    const choices = [
      { message: { content: 'a' } },
      { message: { content: 'b' }, finish_reason: 'eos' },
    ];
    expect(JSON.parse(relay({ choices }))).toEqual({
      ...FALLBACK,
      object: 'chat.completion',
      choices: [
        { index: 0, message: { role: 'assistant', content: 'a' }, finish_reason: 'stop' },
        { index: 1, message: { role: 'assistant', content: 'b' }, finish_reason: 'stop' },
      ],
    });
  });

  test('puts a stream together where the upstream answers with one', () => {
    const chunk = (delta: object, finish: string | null = null): object => ({
      id: 'c1',
      created: 5,
      model: 'm',
      choices: [{ index: 0, delta, finish_reason: finish }],
    });
    const custom = { index: 0, id: 'call_c', type: 'custom', custom: { name: 'p', input: 'a' } };
    const frames = framesOf(
      sse(
        chunk({ role: 'assistant', content: 'H' }),
        chunk({ content: 'i', refusal: 'N' }),
        chunk({ refusal: 'o', tool_calls: [custom] }),
        chunk({ tool_calls: [{ index: 0, custom: { input: 'b' } }] }),
        chunk({}, 'tool_calls'),
        { choices: [], usage: { prompt_tokens: 1, completion_tokens: 2 } },
        '[DONE]',
      ),
    );
    const out = chatAnswer(readTurn(frames), { events: [], data: '', body: undefined }, FALLBACK);
    expect(JSON.parse(out)).toEqual({
      id: 'c1',
      object: 'chat.completion',
      created: 5,
      model: 'm',
      usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 },
      choices: [
        {
          index: 0,
          message: {
            role: 'assistant',
            content: 'Hi',
            refusal: 'No',
            tool_calls: [{ id: 'call_c', type: 'custom', custom: { name: 'p', input: 'ab' } }],
          },
          finish_reason: 'tool_calls',
        },
      ],
    });
  });

  test('an answer streamed and whole says the same', () => {
    const text = fc
      .array(fc.constantFrom('a ', '<think>', '</think>', CALL_TEXT, '<tool_call>', '\n', 'é'))
      .map((parts) => parts.join(''));
    const calls = fc.array(
      fc.record(
        {
          id: fc.constantFrom('call_a1', 'call_b2', ''),
          function: fc.record({
            name: fc.constantFrom('f', 'g', 'h'),
            arguments: fc.constantFrom<unknown>('{"x":1}', '', '{x:1}', { x: 1 }, {}),
          }),
        },
        { requiredKeys: ['function'] },
      ),
      { maxLength: 3 },
    );
    const finish = fc.constantFrom('stop', 'tool_calls', 'length', 'eos');
    fc.assert(
      fc.property(text, calls, finish, (content, tool_calls, word) => {
        const whole = readTurn([
          readChatAnswer(JSON.stringify(answer({ content, tool_calls }, word))),
        ]);
        const chunks = [
          ...Array.from(content).map((letter) => ({ content: letter })),
          ...tool_calls.map((one, index) => ({ tool_calls: [{ ...one, index }] })),
        ].map((delta) => ({ choices: [{ index: 0, delta }] }));
        const end = { choices: [{ index: 0, delta: {}, finish_reason: word }] };
        const streamed = readTurn(framesOf(sse(...chunks, end, '[DONE]')));
        expect(contentOf(streamed).get(0)).toEqual(contentOf(whole).get(0));
      }),
    );
  });
});
