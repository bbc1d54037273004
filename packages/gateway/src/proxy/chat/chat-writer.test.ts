import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { TurnEvent } from '../turn/turn-event.ts';
import type { UpstreamFrame } from '../turn/upstream-event.ts';
import { problemsOf } from './check-chat-stream.case.ts';
import { chunk, contentOf, FALLBACK, framesOf, readTurn, relay, sse } from './chat-stream.case.ts';
import { ChatWriter } from './chat-writer.ts';

const NO_FRAME: UpstreamFrame = { events: [], data: '', body: undefined };
const ROLE = chunk({ role: 'assistant', content: '' });

/** The chunks a client gets, without what is around their choices. */
function choicesOf(stream: string): unknown[] {
  return stream
    .split('\n\n')
    .filter((item) => item.startsWith('data: {'))
    .map((item) => (JSON.parse(item.slice(6)) as { choices: unknown[] }).choices[0]);
}

function deltasOf(stream: string): unknown[] {
  return choicesOf(stream).map((choice) => (choice as { delta: unknown } | undefined)?.delta);
}

function call(id: string, name: string, args: unknown): object {
  return { index: 0, id, type: 'function', function: { name, arguments: args } };
}

describe('ChatWriter', () => {
  test('passes on a stream that needs no change, as it came', () => {
    const stream = sse(
      ROLE,
      chunk({ content: 'Hi', extra: { a: 1 } }, null, { service_tier: 'x', usage: null }),
      '{"id":"c1", "object":"chat.completion.chunk", "created":5, "model":"m", "choices":[{"index":0,"delta":{"reasoning":"é"}, "logprobs":null}]}',
      chunk({}, 'stop'),
      { ...chunk({}), choices: [], usage: { prompt_tokens: 1, completion_tokens: 2 } },
      '[DONE]',
    );
    expect(relay(stream)).toBe(stream);
    expect(problemsOf(stream)).toEqual([]);
  });

  test('passes on a payload of several lines', () => {
    const body = JSON.stringify(chunk({ role: 'assistant', content: 'x' }, 'stop'), null, 1);
    const stream = `data: ${body.replaceAll('\n', '\ndata: ')}\n\ndata: [DONE]\n\n`;
    expect(relay(stream)).toBe(stream);
  });

  test('tells the role first where the upstream never does', () => {
    const text = chunk({ content: 'Hi' });
    expect(relay(sse(text, chunk({}, 'stop'), '[DONE]'))).toBe(
      sse(ROLE, text, chunk({}, 'stop'), '[DONE]'),
    );
  });

  test('tells a call that was text, with the fields of the chunk around it', () => {
    const text = '<tool_call>{"name":"f","arguments":{"x":1}}</tool_call>';
    const around = { system_fingerprint: 'fp' };
    const out = relay(sse(ROLE, chunk({ content: text }), chunk({}, 'stop', around), '[DONE]'));
    expect(problemsOf(out)).toEqual([]);
    expect(choicesOf(out).slice(1)).toEqual([
      {
        index: 0,
        delta: { tool_calls: [call(expect.any(String) as string, 'f', '{"x":1}')] },
        finish_reason: null,
      },
      { index: 0, delta: {}, finish_reason: 'tool_calls' },
    ]);
    expect(out).toContain('"system_fingerprint":"fp"');
  });

  test.each([
    ['no index', [{ id: 'call_1', type: 'function', function: { name: 'f', arguments: '{}' } }]],
    ['an index from 1', [{ ...call('call_1', 'f', '{}'), index: 1 }]],
    ['no type', [{ index: 0, id: 'call_1', function: { name: 'f', arguments: '{}' } }]],
    ['arguments as an object', [call('call_1', 'f', {})]],
    ['empty arguments', [call('call_1', 'f', '')]],
    ['no arguments', [{ index: 0, id: 'call_1', type: 'function', function: { name: 'f' } }]],
  ])('mends a call with %s', (_, calls) => {
    const out = relay(sse(ROLE, chunk({ tool_calls: calls }), chunk({}, 'stop'), '[DONE]'));
    expect(problemsOf(out)).toEqual([]);
    expect(deltasOf(out)[1]).toEqual({ tool_calls: [call('call_1', 'f', '{}')] });
    expect(choicesOf(out).at(-1)).toMatchObject({ finish_reason: 'tool_calls' });
  });

  test('gives two calls on one index an index each', () => {
    const out = relay(
      sse(
        chunk({ tool_calls: [call('call_1', 'f', '{"x":1}')] }),
        chunk({ tool_calls: [call('call_2', 'g', '{"y":2}')] }),
        chunk({}, 'tool_calls'),
        '[DONE]',
      ),
    );
    expect(problemsOf(out)).toEqual([]);
    expect(deltasOf(out).slice(1, 3)).toEqual([
      { tool_calls: [call('call_1', 'f', '{"x":1}')] },
      { tool_calls: [{ ...call('call_2', 'g', '{"y":2}'), index: 1 }] },
    ]);
  });

  test.each([
    ['an empty list of calls', chunk({ content: 'x', tool_calls: [] })],
    ['a reason of its own', chunk({ content: 'x' }, 'eos')],
    ['no id', { ...chunk({ content: 'x' }), id: undefined }],
    ['another id', { ...chunk({ content: 'x' }), id: 'c2' }],
    ['another time', { ...chunk({ content: 'x' }), created: 6 }],
    ['no index', { ...chunk({}), choices: [{ delta: { content: 'x' } }] }],
    [
      'a message in place of a delta',
      { ...chunk({}), choices: [{ index: 0, message: { content: 'x' } }] },
    ],
    ['a list as content', chunk({ content: [{ type: 'text', text: 'x' }] })],
  ])('mends a chunk with %s', (_, odd) => {
    const out = relay(sse(ROLE, odd, chunk({}, 'stop'), '[DONE]'));
    expect(problemsOf(out)).toEqual([]);
    expect(deltasOf(out)[1]).toEqual({ content: 'x' });
  });

  test('makes up what the upstream does not say of itself, once for all chunks', () => {
    const bare = { choices: [{ index: 0, delta: { content: 'x' }, finish_reason: 'stop' }] };
    const out = relay(sse(bare, '[DONE]'));
    expect(problemsOf(out)).toEqual([]);
    expect(out).toContain('"id":"chatcmpl-made-up"');
    expect(out).toContain('"model":"asked-for"');
  });

  test('ends a stream without [DONE] with one, and one with two with one', () => {
    const stream = sse(ROLE, chunk({ content: 'x' }, 'stop'));
    const whole = stream + sse('[DONE]');
    expect(relay(stream)).toBe(whole);
    expect(relay(whole + sse('[DONE]'))).toBe(whole);
  });

  test('tells usage behind the end, also where the end was held back for late arguments', () => {
    const usage = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 };
    const out = relay(
      sse(
        ROLE,
        chunk({ tool_calls: [call('call_1', 'f', '{"x"')] }),
        chunk({}, 'tool_calls'),
        chunk({ tool_calls: [{ index: 0, function: { arguments: ':1}' } }] }),
        { ...chunk({}), choices: [], usage },
        '[DONE]',
      ),
    );
    expect(problemsOf(out)).toEqual([]);
    expect(deltasOf(out)).toEqual([
      { role: 'assistant', content: '' },
      { tool_calls: [call('call_1', 'f', '{"x":1}')] },
      {},
      undefined,
    ]);
    expect(out).toContain(JSON.stringify(usage));
  });

  test('keeps usage that came with the end, and what else is said of the choice', () => {
    const usage = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 };
    const end = {
      ...chunk({}, null, { usage }),
      choices: [{ index: 0, delta: { content: '' }, finish_reason: 'eos', stop_reason: 7 }],
    };
    const out = relay(sse(ROLE, chunk({ content: 'x' }), end, '[DONE]'));
    expect(problemsOf(out)).toEqual([]);
    expect(choicesOf(out).at(-1)).toEqual({
      index: 0,
      delta: {},
      finish_reason: 'stop',
      stop_reason: 7,
    });
    expect(out).toContain(JSON.stringify(usage));
  });

  test('tells reasoning in the field of the upstream, and reasoning of ours in reasoning_content', () => {
    const own = chunk({ reasoning: 'a', tool_calls: [] });
    const ours = chunk({ content: '<think>b</think>c' });
    const out = relay(sse(ROLE, own, ours, chunk({}, 'stop'), '[DONE]'));
    expect(deltasOf(out).slice(1, 4)).toEqual([
      { reasoning: 'a' },
      { reasoning_content: 'b' },
      { content: 'c' },
    ]);
  });

  test('calls of custom tools share the indexes of others', () => {
    const custom = { index: 0, id: 'call_c', type: 'custom', custom: { name: 'p', input: 'i' } };
    const out = relay(
      sse(
        ROLE,
        chunk({ tool_calls: [custom] }),
        chunk({ tool_calls: [{ ...call('call_1', 'f', '{}'), index: 1 }] }),
        chunk({}, 'tool_calls'),
        '[DONE]',
      ),
    );
    expect(deltasOf(out).slice(1, 3)).toEqual([
      { tool_calls: [custom] },
      { tool_calls: [{ ...call('call_1', 'f', '{}'), index: 1 }] },
    ]);
  });

  test('a turn of custom calls alone ends in tool_calls', () => {
    const custom = { index: 0, id: 'call_c', type: 'custom', custom: { name: 'p', input: 'i' } };
    const out = relay(sse(ROLE, chunk({ tool_calls: [custom] }, 'tool_calls'), '[DONE]'));
    expect(choicesOf(out).at(-1)).toMatchObject({ finish_reason: 'tool_calls' });
  });

  test('keeps choices apart', () => {
    const both = (one: object, other: object, finish: string | null = null): object => ({
      ...chunk({}),
      choices: [
        { index: 0, delta: one, finish_reason: finish },
        { index: 1, delta: other, finish_reason: finish },
      ],
    });
    const out = relay(
      sse(
        both({ role: 'assistant' }, { role: 'assistant' }),
        both({ content: 'a' }, { tool_calls: [call('call_1', 'f', '{}')] }),
        both({}, {}, 'stop'),
        '[DONE]',
      ),
    );
    expect(problemsOf(out)).toEqual([]);
    const told = contentOf(readTurn(framesOf(out)));
    expect(told.get(0)).toMatchObject({ text: 'a', calls: [], finish: 'stop' });
    expect(told.get(1)).toMatchObject({ calls: ['call_1 f {}'], finish: 'tool-calls' });
  });

  describe('in eager mode', () => {
    test('tells a call in pieces that add up', () => {
      const out = relay(
        sse(
          ROLE,
          chunk({ tool_calls: [call('call_1', 'f', '{"x"')] }),
          chunk({ tool_calls: [{ index: 0, function: { arguments: ':1}' } }] }),
          chunk({}, 'tool_calls'),
          '[DONE]',
        ),
        true,
      );
      expect(problemsOf(out)).toEqual([]);
      expect(deltasOf(out).slice(1, -1)).toEqual([
        { tool_calls: [call('call_1', 'f', '')] },
        { tool_calls: [{ index: 0, function: { arguments: '{"x"' } }] },
        { tool_calls: [{ index: 0, function: { arguments: ':1}' } }] },
      ]);
    });

    test('a call that ends without arguments gets an empty object', () => {
      const events: TurnEvent[] = [
        { type: 'call-start', choice: 0, index: 0, id: 'call_1', name: 'f' },
        { type: 'call-end', choice: 0, index: 0 },
        { type: 'finish', choice: 0, reason: 'tool-calls' },
        { type: 'done' },
      ];
      expect(problemsOf(new ChatWriter(FALLBACK).write(events, NO_FRAME))).toEqual([]);
    });
  });

  describe('errors', () => {
    test("tells the upstream's own words, and nothing behind them", () => {
      const error = { message: 'no', type: 'server_error', code: 'x' };
      const out = relay(sse(ROLE, { error }, chunk({ content: 'x' }), '[DONE]'));
      expect(out).toBe(sse(ROLE, { error }));
    });

    test.each([
      ['an error without a message', sse({ error: 'no' })],
      ['garbage', sse('<html>')],
      ['no more of a call', sse(chunk({ tool_calls: [call('call_1', 'f', '{"x"')] }))],
    ])('ends a stream with %s in an error that clients read', (_, rest) => {
      const out = relay(sse(ROLE) + rest);
      expect(problemsOf(out)).toEqual([]);
      const last = JSON.parse(out.split('\n\n').at(-2)!.slice(6)) as object;
      expect(last).toEqual({
        error: {
          message: expect.any(String) as string,
          type: 'upstream_error',
          param: null,
          code: 'upstream_error',
        },
      });
      expect(out).not.toContain('tool_calls');
    });

    test('never ends a choice that did not end', () => {
      const writer = new ChatWriter(FALLBACK);
      writer.write([{ type: 'text', choice: 0, text: 'x' }], NO_FRAME);
      expect(writer.end()).toMatch(/^data: \{"error":/);
      expect(writer.end()).toBe('');
    });
  });

  test('tells a client of the older protocol the one call it can take', () => {
    const older = { function_call: { name: 'f', arguments: '{"x"' } };
    const stream = sse(
      ROLE,
      chunk(older),
      chunk({ function_call: { arguments: ':1}' } }),
      chunk({}, 'function_call'),
      '[DONE]',
    );
    expect(choicesOf(relay(stream, false, 'function_call')).slice(1)).toEqual([
      {
        index: 0,
        delta: { function_call: { name: 'f', arguments: '{"x":1}' } },
        finish_reason: null,
      },
      { index: 0, delta: {}, finish_reason: 'function_call' },
    ]);
  });

  test('tells a whole answer as a stream, without any frame', () => {
    const events: TurnEvent[] = [
      { type: 'start', id: 'c1', model: 'm', created: 5 },
      { type: 'text', choice: 0, text: 'Hi' },
      { type: 'finish', choice: 0, reason: 'stop' },
      { type: 'usage', usage: { inputTokens: 1, outputTokens: 2 } },
      { type: 'done' },
    ];
    const usage = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 };
    expect(new ChatWriter(FALLBACK).write(events, NO_FRAME)).toBe(
      sse(ROLE, chunk({ content: 'Hi' }), chunk({}, 'stop', { usage }), '[DONE]'),
    );
  });

  test('ends a choice that is in a chunk twice once, and nothing comes behind it', () => {
    const choices = [
      { index: 0, delta: {}, finish_reason: 'stop' },
      { index: 0, delta: {} },
    ];
    expect(choicesOf(relay(sse({ ...chunk({}), choices }))).slice(1)).toEqual([
      { index: 0, delta: {}, finish_reason: 'stop' },
    ]);
  });

  test('whatever the upstream does, the stream is right and says the same', () => {
    const name = fc.constantFrom('f', 'g', '', null);
    const args = fc.constantFrom('{', '}', '{"x":1}', '', null, {}, { x: 1 });
    const calls = fc.array(
      fc.record(
        {
          index: fc.constantFrom(0, 1, 2),
          id: fc.constantFrom('call_a1', 'call_b2', '', null),
          type: fc.constant('function'),
          function: fc.record({ name, arguments: args }, { requiredKeys: [] }),
        },
        { requiredKeys: [] },
      ),
      { maxLength: 2 },
    );
    const text = fc.constantFrom(
      '',
      'a ',
      '<think>',
      '</think>',
      '<tool_call>',
      '</tool_call>',
      '{"name":"f","arguments":{"x":1}}',
    );
    const delta = fc.record(
      {
        role: fc.constant('assistant'),
        content: text,
        reasoning: fc.constantFrom('r', ''),
        tool_calls: calls,
        refusal: fc.constantFrom('no', null),
      },
      { requiredKeys: [] },
    );
    const finish = fc.constantFrom(
      null,
      null,
      null,
      null,
      'stop',
      'tool_calls',
      'length',
      'odd',
      '',
    );
    const choice = fc.record(
      { index: fc.constantFrom(0, 0, 1), delta, finish_reason: finish },
      { requiredKeys: ['index'] },
    );
    const item = fc.oneof(
      {
        weight: 8,
        arbitrary: fc.array(choice, { maxLength: 2 }).map((choices) => ({ ...chunk({}), choices })),
      },
      fc.constantFrom<unknown>('[DONE]', 'garbage', { error: 'x' }, { choices: [], usage: {} }, {}),
    );
    fc.assert(
      fc.property(fc.array(item, { maxLength: 10 }), fc.boolean(), (items, isDone) => {
        const stream = sse(...items, ...(isDone ? ['[DONE]'] : []));
        const out = relay(stream);
        expect(problemsOf(out)).toEqual([]);
        const isFailed = out.includes('data: {"error"');
        const before = readTurn(framesOf(stream));
        if (before.some(({ type }) => type === 'error')) expect(isFailed).toBe(true);
        if (isFailed) return;
        const told = contentOf(before);
        const back = contentOf(framesOf(out).flatMap(({ events }) => events));
        for (const [choice, content] of told) expect(back.get(choice)).toEqual(content);
      }),
      { numRuns: 5 * (fc.readConfigureGlobal().numRuns ?? 100) },
    );
  });
});
