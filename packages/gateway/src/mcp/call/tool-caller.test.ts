import { describe, expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '@holdfast/core';
import type { CallReply, CallResult } from '../messages.ts';
import {
  callerUnderTest,
  DONE,
  payTool,
  protocolError,
  readTool,
  shopConfig,
  textsOf,
} from './caller.case.ts';

const metaOf = (reply: CallReply): JsonObject => reply['_meta'] as JsonObject;
const failed = (text: string): CallResult => ({ content: [{ type: 'text', text }], isError: true });

const SEVEN = [
  'circuit_calls_in_window',
  'circuit_failures_in_window',
  'circuit_failure_rate',
  'circuit_consecutive_failures',
  'circuit_open_until',
  'circuit_half_open',
  'circuit_retry_after_seconds',
];

describe('a call that succeeds', () => {
  test('keeps its arguments and its result, with the circuit in its metadata', async () => {
    const { call, sent } = callerUnderTest();
    const args = { amount: 3 };
    const result: CallResult = {
      content: [{ type: 'text', text: 'ok' }],
      structuredContent: { ok: true },
      _meta: { theirs: 1 },
    };
    const reply = await call({ arguments: args }, result);
    expect(sent[0]).toBe(args);
    expect(reply['content']).toBe(result.content);
    expect(reply['structuredContent']).toBe(result['structuredContent']);
    expect(Object.keys(metaOf(reply))).toEqual(['theirs', ...SEVEN]);
    expect(result['_meta']).toEqual({ theirs: 1 });
  });

  test('leaves no timer behind', async () => {
    const { call, clock } = callerUnderTest();
    await call({}, DONE);
    await clock.advance(1);
    const { pendingTimers } = clock;
    await call({}, DONE);
    expect(clock.pendingTimers).toBe(pendingTimers);
  });

  test('is passed on even where it is no proper result', async () => {
    const { call } = callerUnderTest({ advice: true });
    const odd = { toolResult: 7 } as JsonObject as CallResult;
    expect(await call({}, odd)).toMatchObject({ toolResult: 7 });
    const blocks = { content: [null, 3] as JsonValue } as JsonObject as CallResult;
    expect(await call({}, blocks)).toMatchObject({ content: [null, 3] });
  });
});

describe('arguments', () => {
  test('that can only mean one thing are set right, and that is told', async () => {
    const { call, sent, events, log, caller } = callerUnderTest();
    const reply = await call({ arguments: { amount: '42', note: 'secret-note' } });
    expect(sent).toEqual([{ amount: 42, note: 'secret-note' }]);
    expect(metaOf(reply)['holdfast/repairs']).toEqual(['amount: "42" is 42']);
    expect(events).toMatchObject([
      { type: 'arguments-repaired', tool: 'payment_api', repairs: ['coerced-value at amount'] },
    ]);
    expect(JSON.stringify(log.entries)).not.toContain('42');
    expect(caller.counts).toMatchObject([{ tool: 'payment_api', calls: 1, repairs: 1 }]);
  });

  test('that do not fit are not sent, and count against nothing', async () => {
    const { call, sent, caller } = callerUnderTest();
    for (let i = 0; i < 20; i++) {
      const reply = await call({ arguments: { amount: 'many' }, shownName: 'shop__payment_api' });
      expect(reply['isError']).toBe(true);
      expect(textsOf(reply)).toEqual([
        'the arguments of shop__payment_api do not fit:\n' +
          '- amount: expected an integer, got the string "many"',
      ]);
      expect(Object.keys(metaOf(reply))).toEqual(SEVEN);
    }
    expect(sent).toEqual([]);
    expect(caller.circuits.list().every(({ state }) => state === 'closed')).toBe(true);
    expect(caller.counts).toMatchObject([{ calls: 20, refusals: 20, failures: 0 }]);
  });

  test('are left alone where checking is off', async () => {
    const { call, sent } = callerUnderTest({ check: false });
    const args = { amount: 'many' };
    expect(await call({ arguments: args })).toMatchObject({ content: DONE.content });
    expect(sent[0]).toBe(args);
  });

  test('are sent unchecked where the schema cannot be followed, and it is not tried again', async () => {
    const { call, sent, events } = callerUnderTest();
    let fold: JsonValue = { type: 'integer' };
    for (let i = 0; i < 100; i++) fold = { allOf: [fold, fold] };
    const hostile = { name: 'hostile', inputSchema: { properties: { a: fold } } };
    const remote = { name: 'remote', inputSchema: { $ref: 'https://example.com/schema.json' } };
    for (let i = 0; i < 20; i++) await call({ tool: hostile, arguments: { a: 1 } });
    await call({ tool: remote, arguments: { any: 1 } });
    expect(sent).toHaveLength(21);
    expect(events.filter(({ type }) => type === 'schema-given-up')).toHaveLength(1);
  });
});

describe('an error of the protocol', () => {
  test.each([-32_602, -32_603, -32_042, -32_099, 7])(
    'with the code %i is passed on as it is',
    async (code) => {
      const { call } = callerUnderTest();
      const error = protocolError(code, 'no', { why: 'x' });
      await expect(call({}, error)).rejects.toBe(error);
    },
  );

  test.each([
    [-32_602, 'closed'],
    [-32_042, 'closed'],
    [-32_021, 'closed'],
    [-32_603, 'open'],
    [-32_050, 'open'],
  ])('with the code %i leaves the circuit %s', async (code, state) => {
    const { call, caller } = callerUnderTest();
    for (let i = 0; i < 5; i++) await call({}, protocolError(code, 'no')).catch(() => undefined);
    expect(caller.circuits.peek('shop/payment_api')?.state).toBe(state);
  });
});

describe('a result that is an error', () => {
  test('comes back as the tool wrote it', async () => {
    const { call } = callerUnderTest();
    const result = failed('out of stock');
    const reply = await call({}, result);
    expect(reply['content']).toBe(result.content);
    expect(reply['isError']).toBe(true);
    expect(metaOf(reply)).toMatchObject({ circuit_consecutive_failures: 1 });
  });

  test.each([
    ['MCP error -32602: Invalid arguments for tool', 'closed'],
    ['2 validation errors for payment', 'closed'],
    ['out of stock', 'open'],
  ])('with the text %j leaves the circuit %s', async (text, state) => {
    const { call, caller } = callerUnderTest();
    for (let i = 0; i < 5; i++) await call({}, failed(text));
    expect(caller.circuits.peek('shop/payment_api')?.state).toBe(state);
    expect(caller.circuits.peek('server:shop')?.state).toBe('closed');
  });
});

describe('a request for input', () => {
  test('is passed on untouched, once, and shows that the server is well', async () => {
    const { call, sent, caller } = callerUnderTest({ advice: true });
    const wanted = { resultType: 'input_required', inputRequests: {} } as const;
    expect(await call({ tool: readTool }, wanted)).toBe(wanted);
    expect(sent).toHaveLength(1);
    expect(caller.circuits.peek('shop/read_order')?.metrics()).toMatchObject({ successes: 1 });
  });
});

describe('a call that the client takes back', () => {
  test('is rejected with the reason, stops the server and counts against nothing', async () => {
    const { call, caller, clock } = callerUnderTest();
    const controller = new AbortController();
    let heard: unknown;
    const running = call({ signal: controller.signal }, ({ signal }) => {
      signal.addEventListener('abort', () => {
        heard = signal.reason;
      });
      return new Promise(() => undefined);
    });
    const told = expect(running).rejects.toBe('enough');
    await clock.advance(1);
    controller.abort('enough');
    await told;
    expect(heard).toBe('enough');
    const metrics = caller.circuits.peek('shop/payment_api')?.metrics();
    expect(metrics).toMatchObject({ failures: 0, ignored: 1 });
    await expect(call({ signal: controller.signal })).rejects.toBe('enough');
  });
});

describe('what is known of a tool', () => {
  test('is made anew when it is listed anew; its circuit and its counts stay', async () => {
    const { call, sent, caller } = callerUnderTest();
    for (let i = 0; i < 4; i++) await call({}, failed('no'));
    const relisted = { ...payTool, inputSchema: { type: 'object', required: ['id'] } };
    await call({ tool: relisted, arguments: { amount: 1 } });
    expect(sent).toHaveLength(4);
    await call({ tool: relisted, arguments: { id: 1 } }, failed('no'));
    expect(caller.circuits.peek('shop/payment_api')?.state).toBe('open');
    expect(caller.counts).toEqual([
      {
        server: 'shop',
        tool: 'payment_api',
        calls: 6,
        failures: 5,
        refusals: 1,
        repairs: 0,
        advice: 0,
      },
    ]);
  });

  test('is kept apart by server', async () => {
    const { call, caller } = callerUnderTest();
    for (let i = 0; i < 5; i++) await call({}, failed('no'));
    const server = shopConfig({ name: 'other' });
    expect(await call({ server }, DONE)).toMatchObject({ content: DONE.content });
    expect([...caller.circuits.states()]).toEqual([
      ['shop/payment_api', 'open'],
      ['server:shop', 'closed'],
      ['other/payment_api', 'closed'],
      ['server:other', 'closed'],
    ]);
  });
});
