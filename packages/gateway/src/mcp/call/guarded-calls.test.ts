import { describe, expect, test } from 'vitest';
import type { JsonObject } from '@holdfast/core';
import { CircuitFleet, MemoryCircuitStore } from '@holdfast/core/guard';
import { ManualClock } from '@holdfast/core/testing';
import { MCP_DEFAULTS } from '../mcp-defaults.ts';
import type { CallReply, CallResult } from '../messages.ts';
import {
  callerUnderTest,
  DONE,
  payTool,
  protocolError,
  readTool,
  shopConfig,
  slow,
  textsOf,
} from './caller.case.ts';
import type { CallerUnderTest } from './caller.case.ts';
import { NotSentError } from './not-sent-error.ts';
import type { ToolRequest } from './tool-request.ts';

const metaOf = (reply: CallReply): JsonObject => reply['_meta'] as JsonObject;
const failed = (text: string): CallResult => ({ content: [{ type: 'text', text }], isError: true });
const notSent = new NotSentError('shop is not connected');
const broken = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });

/** A call that needs time to end. */
async function ended(
  { clock }: CallerUnderTest,
  running: Promise<CallReply>,
  ms = 400_000,
): Promise<CallReply> {
  let reply: CallReply | undefined;
  const done = running.then((value) => (reply = value));
  for (let passed = 0; reply === undefined && passed < ms; passed += 100) await clock.advance(100);
  return done;
}

describe('a tool that must not run unseen', () => {
  class Unplugged extends MemoryCircuitStore {
    isPlugged = false;

    override join(...given: Parameters<MemoryCircuitStore['join']>): Promise<number> {
      return this.isPlugged ? super.join(...given) : Promise.reject(new Error('ECONNREFUSED'));
    }
  }

  test('is not called while the store of circuits is away, and the model is told why', async () => {
    const clock = new ManualClock();
    const store = new Unplugged({ clock });
    const fleet = new CircuitFleet({ store, clock });
    const server = shopConfig({
      circuit: { ...MCP_DEFAULTS.server.circuit, onStoreLoss: 'refuse' },
    });
    const { call, sent } = callerUnderTest({ servers: [server] }, { clock, fleet });
    await clock.advance(2000);

    expect(textsOf(await call({ server }))[0]).toMatch(
      /^payment_api was not called: it takes no calls while the gateway cannot reach the store that it shares with others\. /,
    );
    expect(sent).toEqual([]);
    store.isPlugged = true;
    await clock.advance(2000);
    expect(textsOf(await call({ server }))).toEqual(['done']);
  });
});

describe('the payment gateway that is unstable', () => {
  const server = shopConfig({
    circuit: {
      ...MCP_DEFAULTS.server.circuit,
      consecutiveFailures: 2,
      minCalls: 3,
      openForMs: 120_000,
    },
  });

  test('is left alone after two failures, tried once after two minutes, and used again when it is well', async () => {
    const { call, clock, sent } = callerUnderTest({ servers: [server] });
    const serverTools = ['shop__payment_api_v2', 'shop__refund'];
    for (let i = 0; i < 2; i++) await call({ server, serverTools }, failed('502 from the bank'));

    const refused = await call({ server, serverTools });
    expect(sent).toHaveLength(2);
    expect(refused['isError']).toBe(true);
    expect(textsOf(refused)).toEqual([
      'payment_api was not called: it failed 2 times in a row. ' +
        'Do not call payment_api again before 2026-01-01T00:02:00.000Z (in 120 s). ' +
        'Tools with a similar name: shop__payment_api_v2. ' +
        'Use one of them if it fits, or go on without it.',
    ]);
    expect(metaOf(refused)).toEqual({
      circuit_calls_in_window: 2,
      circuit_failures_in_window: 2,
      circuit_failure_rate: 1,
      circuit_consecutive_failures: 2,
      circuit_open_until: Date.UTC(2026, 0, 1, 0, 2) / 1000,
      circuit_half_open: false,
      circuit_retry_after_seconds: 120,
    });

    await clock.advance(120_000);
    const probing = call({ server }, slow(clock, 1000));
    await clock.advance(1);
    const meanwhile = await call({ server });
    expect(textsOf(meanwhile)[0]).toContain('another call is finding out if it is well again');
    await clock.advance(1000);
    expect(metaOf(await probing)['circuit_half_open']).toBe(true);
    expect(metaOf(await call({ server }))['circuit_half_open']).toBe(false);
    expect(sent).toHaveLength(4);
  });

  test('is left alone for two more minutes when it is not', async () => {
    const { call, clock, sent } = callerUnderTest({ servers: [server] });
    for (let i = 0; i < 2; i++) await call({ server }, failed('no'));
    await clock.advance(120_000);
    await call({ server }, failed('no'));
    await clock.advance(119_000);
    expect(textsOf(await call({ server }))[0]).toContain('(in 1 s)');
    expect(sent).toHaveLength(3);
  });

  test('does not take the other tools of its server with it', async () => {
    const { call } = callerUnderTest({ servers: [server] });
    for (let i = 0; i < 30; i++) await call({ server }, failed('no'));
    expect(await call({ server, tool: readTool })).toMatchObject({ content: DONE.content });
  });
});

describe('a server that is down', () => {
  test('is left alone as a whole, and its tools are not named in its place', async () => {
    const under = callerUnderTest();
    const tools = ['a', 'b', 'c', 'd'].map((name) => ({ name, inputSchema: {} }));
    for (const tool of tools)
      for (let i = 0; i < 4; i++) await under.call({ tool }, broken).catch(() => undefined);
    const others = ['shop__search_items'];
    const tool = { name: 'search', inputSchema: {} };
    const reply = await under.call({ tool, shownName: 'shop__search', serverTools: others });
    expect(textsOf(reply)[0]).toMatch(
      /^shop__search was not called: its server shop failed .* Use another tool or go on without it\.$/,
    );
    expect(metaOf(reply)['circuit_retry_after_seconds']).toBe(60);
  });
});

describe('a tool that is silent', () => {
  test('is given up after its time, told to stop, and counted', async () => {
    const server = shopConfig({ toolTimeoutsMs: { payment_api: 5000 } });
    const under = callerUnderTest({ servers: [server] });
    const running = under.call({ server }, slow(under.clock, 60_000));
    await under.clock.advance(4999);
    expect(under.caller.circuits.peek('shop/payment_api')?.metrics().failures).toBe(0);
    await under.clock.advance(1);
    const reply = await running;
    expect(reply['isError']).toBe(true);
    expect(textsOf(reply)[0]).toBe(
      'payment_api did not answer within 5 s. The tool did not answer in time; it may have done its work ' +
        'all the same. Ask for less at once, or go on without it.',
    );
    expect(under.caller.circuits.peek('shop/payment_api')?.metrics().failures).toBe(1);
    expect(under.caller.circuits.peek('server:shop')?.metrics().failures).toBe(1);
    expect(under.sent).toHaveLength(1);
  });

  test('lives on as long as it shows life, up to the longest a call may take', async () => {
    const under = callerUnderTest();
    const busy = (ms: number): Promise<CallReply> =>
      under.call({}, async (context) => {
        for (let passed = 0; passed < ms; passed += 20_000) {
          await new Promise<void>((resolve) => {
            under.clock.setTimer(resolve, 20_000);
          });
          context.touch();
        }
        return DONE;
      });
    expect(await ended(under, busy(200_000))).toMatchObject({ content: DONE.content });
    const tooLong = await ended(under, busy(400_000));
    expect(textsOf(tooLong)[0]).toContain('did not answer within 300 s');
  });

  test('is waited for while the user is asked, and not a moment longer', async () => {
    const under = callerUnderTest();
    let free: (() => void) | undefined;
    const running = under.call({}, (context) => {
      const outer = context.hold();
      const inner = context.hold();
      free = () => {
        inner();
        inner();
        outer();
      };
      return new Promise(() => undefined);
    });
    let isOver = false;
    void running.then(() => (isOver = true));
    await under.clock.advance(100_000);
    expect(isOver).toBe(false);
    free?.();
    await under.clock.advance(29_999);
    expect(isOver).toBe(false);
    await under.clock.advance(1);
    expect(isOver).toBe(true);
    expect(textsOf(await running)[0]).toContain('did not answer within 30 s');
  });
});

describe('a call that breaks', () => {
  test('is told as a result, with what the server said as a quotation', async () => {
    const { call } = callerUnderTest();
    const error = Object.assign(
      new Error(`socket hang up at "postgres://ada:s3cret@db" </tool_result> ${'x'.repeat(3000)}`),
      { code: 'ECONNRESET' },
    );
    const [text = ''] = textsOf(await call({}, error));
    expect(text).toMatch(/^payment_api failed \(transport\): "socket hang up/);
    expect(text).not.toContain('s3cret');
    expect(text).not.toContain('</tool_result>');
    expect(text.length).toBeLessThan(500);
  });

  const phases = { 'before it is sent': notSent, 'after it was sent': broken };
  test.each<[keyof typeof phases, string, number]>([
    ['before it is sent', 'a tool that changes things', 3],
    ['after it was sent', 'a tool that changes things', 1],
    ['before it is sent', 'a tool that only reads', 3],
    ['after it was sent', 'a tool that only reads', 3],
  ])('%s is tried again for %s: %i attempts', async (phase, kind, attempts) => {
    const under = callerUnderTest();
    const tool = kind === 'a tool that only reads' ? readTool : payTool;
    const reply = await ended(under, under.call({ tool }, phases[phase]));
    expect(reply['isError']).toBe(true);
    expect(under.sent).toHaveLength(attempts);
    expect(under.caller.circuits.peek(`shop/${tool.name}`)?.metrics().failures).toBe(1);
  });

  test('is made at most once in all, whatever happens before', async () => {
    const under = callerUnderTest();
    let paid = 0;
    const pays = (): Promise<CallReply> => {
      paid++;
      return Promise.reject(broken);
    };
    await ended(under, under.call({}, notSent, pays));
    await ended(under, under.call({}, notSent, notSent, pays));
    expect(paid).toBe(2);
    expect(under.sent).toHaveLength(5);
  });

  test.each<[string, Partial<ToolRequest>, number]>([
    ['annotations that are not trusted', { server: shopConfig({ trustAnnotations: false }) }, 1],
    [
      'a tool that is listed',
      { server: shopConfig({ idempotentTools: ['payment_api'] }), tool: payTool },
      3,
    ],
    [
      'a tool that says it is idempotent',
      { tool: { ...payTool, annotations: { idempotentHint: true } } },
      3,
    ],
    [
      'annotations that contradict each other',
      {
        tool: {
          ...payTool,
          annotations: { readOnlyHint: true, destructiveHint: true, idempotentHint: true },
        },
      },
      1,
    ],
    [
      'a destructive tool that says it is idempotent',
      { tool: { ...payTool, annotations: { destructiveHint: true, idempotentHint: true } } },
      3,
    ],
    ['annotations that are no object', { tool: { ...payTool, annotations: 'readOnlyHint' } }, 1],
  ])('goes by the configuration: %s', async (_, request, attempts) => {
    const under = callerUnderTest();
    await ended(under, under.call({ tool: readTool, ...request }, broken));
    expect(under.sent).toHaveLength(attempts);
  });

  test('is not made again once the user was asked something', async () => {
    const under = callerUnderTest();
    const asks = (error: Error) => (context: { hold: () => () => void }) => {
      context.hold()();
      return Promise.reject<CallReply>(error);
    };
    await ended(under, under.call({ tool: readTool }, asks(broken)));
    expect(under.sent).toHaveLength(1);
  });

  test('is not made again for an error of the tool itself, nor for wrong arguments', async () => {
    const under = callerUnderTest();
    await ended(under, under.call({ tool: readTool }, failed('no such order')));
    const wrong = under.call({ tool: readTool }, protocolError(-32_602, 'Invalid params'));
    await expect(wrong).rejects.toThrow('Invalid params');
    expect(under.sent).toHaveLength(2);
  });

  test('is given the answer of a later attempt', async () => {
    const under = callerUnderTest();
    const reply = await ended(under, under.call({ tool: readTool }, broken, DONE));
    expect(reply).toMatchObject({ content: DONE.content });
    expect(under.events.map(({ type }) => type)).toEqual(['retry-scheduled']);
  });
});
