import { describe, expect, test } from 'vitest';
import type { JsonObject } from '@holdfast/core';
import { ADVICE_PREFIX } from '@holdfast/core/advise';
import type { PluginCall, PluginHost, PluginRun } from '../../plugins/plugin-run.ts';
import { callerUnderTest, DONE, protocolError, readTool, textsOf } from './caller.case.ts';
import type { CallerUnderTest } from './caller.case.ts';
import type { McpConfig } from '../mcp-config.ts';
import type { CallReply, CallResult } from '../messages.ts';
import { NotSentError } from './not-sent-error.ts';

const failed: CallResult = { content: [{ type: 'text', text: 'no' }], isError: true };

interface Watched extends CallerUnderTest {
  /** What the plugins saw, in order. */
  readonly seen: unknown[];
}

/** A caller with one plugin, which sees all and does what the test says. */
function withPlugin(
  run: Partial<PluginRun>,
  guards = false,
  config: Partial<McpConfig> = {},
): Watched {
  const seen: unknown[] = [];
  const plugins: PluginHost = {
    begin: (call: PluginCall) => {
      seen.push(['begin', call]);
      return {
        pre: async (args) => {
          seen.push(['pre', args]);
          return run.pre?.(args) ?? Promise.resolve({ args, metadata: {} });
        },
        post: async (result, how) => {
          seen.push(['post', result, how]);
          return run.post?.(result, how) ?? Promise.resolve({ result, metadata: {} });
        },
        abandon: () => {
          seen.push(['abandon']);
        },
      };
    },
    guardsTool: () => guards,
    close: () => Promise.resolve(),
  };
  return { ...callerUnderTest(config, { plugins }), seen };
}

const violation = {
  reason: 'Circuit open',
  description: 'The circuit of payment_api is open',
  code: 'CIRCUIT_OPEN',
  details: { retry_after_seconds: 30 },
};

describe('plugins around a call', () => {
  test('say when to call again, and are not repeated', async () => {
    const said = 'Do not call payment_api again before noon.';
    const { call } = withPlugin({
      pre: (args) =>
        Promise.resolve({ args, metadata: {}, violation: { ...violation, description: said } }),
    });
    expect(textsOf(await call({}))).toEqual([said]);
  });

  test('may give the advice, which is then given once', async () => {
    const advised: CallResult = {
      content: [...failed.content, { type: 'text', text: `${ADVICE_PREFIX}Ask the user.` }],
      isError: true,
    };
    const { call } = withPlugin(
      { post: () => Promise.resolve({ result: advised, metadata: {} }) },
      false,
      { advice: true },
    );
    await call({}, failed);
    expect(textsOf(await call({}, failed))).toEqual(['no', `${ADVICE_PREFIX}Ask the user.`]);
  });

  test('see its arguments and its result, and may change both', async () => {
    const changed: CallResult = { content: [{ type: 'text', text: 'masked' }] };
    const { call, sent, seen } = withPlugin({
      pre: () => Promise.resolve({ args: { amount: 2 }, metadata: { before: 1 } }),
      post: () => Promise.resolve({ result: changed, metadata: { after: 2 } }),
    });
    const reply = await call({ id: 'x' });
    expect(sent).toEqual([{ amount: 2 }]);
    expect(reply).toMatchObject({ content: changed.content, _meta: { before: 1, after: 2 } });
    expect(seen).toEqual([
      [
        'begin',
        {
          requestId: 'x',
          tool: 'payment_api',
          shownName: 'payment_api',
          server: 'shop',
          conversation: 'one',
        },
      ],
      ['pre', { amount: 1 }],
      ['post', DONE, { timedOut: false }],
    ]);
  });

  test('may make anything of a result, and the client still gets one', async () => {
    const { call } = withPlugin({
      post: () => Promise.resolve({ result: { rows: 3 }, metadata: {} }),
    });
    expect(textsOf(await call())).toEqual(['{"rows":3}']);
  });

  test('may stop it before it is sent', async () => {
    const { call, sent, seen, caller } = withPlugin({
      pre: (args) => Promise.resolve({ args, violation, metadata: { circuit_open_until: 7 } }),
    });
    const reply = await call();
    expect(sent).toEqual([]);
    expect(reply['isError']).toBe(true);
    expect(textsOf(reply)).toEqual([
      'The circuit of payment_api is open. ' +
        'Do not call payment_api again before 2026-01-01T00:00:30.000Z (in 30 s).',
    ]);
    expect(reply['_meta']).toMatchObject({
      circuit_open_until: 7,
      'holdfast/violation': { code: 'CIRCUIT_OPEN', details: { retry_after_seconds: 30 } },
    });
    expect(seen.at(-1)).toEqual(['abandon']);
    expect(caller.counts).toMatchObject([{ refusals: 1, failures: 0 }]);
  });

  test('may withhold its result', async () => {
    const { call } = withPlugin({
      post: (result) => Promise.resolve({ result, violation, metadata: {} }),
    });
    const reply = await call();
    expect(JSON.stringify(reply['content'])).not.toContain('done');
    expect(reply['isError']).toBe(true);
  });

  test('are told of a timeout', async () => {
    const { call, clock, seen } = withPlugin({});
    const running = call({}, () => new Promise(() => undefined));
    await clock.advance(30_000);
    await running;
    expect(seen.at(-1)).toMatchObject(['post', { isError: true }, { timedOut: true }]);
  });

  test('see an error of the protocol as a failed result, unless it says nothing of the tool', async () => {
    const { call, seen } = withPlugin({});
    for (const code of [-32_603, -32_602, -32_042])
      await call({}, protocolError(code, 'no')).catch(() => undefined);
    const ends = seen.filter((entry) => /post|abandon/.test(String((entry as unknown[])[0])));
    expect(ends).toMatchObject([
      ['post', { isError: true }, { timedOut: false }],
      ['abandon'],
      ['abandon'],
    ]);
  });

  test.each<[string, (watched: Watched) => Promise<unknown>]>([
    [
      'the client takes it back',
      async ({ call, clock }) => {
        const controller = new AbortController();
        const running = call({ signal: controller.signal }, () => new Promise(() => undefined));
        await clock.advance(1);
        controller.abort();
        await running.catch(() => undefined);
      },
    ],
    ['the server asks for input', ({ call }) => call({}, { resultType: 'input_required' })],
  ])('let go of it when %s', async (_, make) => {
    const watched = withPlugin({});
    await make(watched);
    expect(watched.seen.at(-1)).toEqual(['abandon']);
  });

  test('that keep circuits take the place of those of the tool', async () => {
    const { call, caller } = withPlugin({}, true);
    for (let i = 0; i < 20; i++) await call({}, failed);
    expect([...caller.circuits.states().values()]).toEqual(['closed', 'closed']);
    expect(caller.circuits.peek('shop/payment_api')?.metrics().totalCalls).toBe(0);
    expect(caller.circuits.peek('server:shop')?.metrics().totalCalls).toBe(20);
  });
});

describe('a plugin that wants a call to be made again', () => {
  /** Wishes for another attempt as long as the result is an error. */
  const wishes: Partial<PluginRun> = {
    post: (result) => {
      const { isError } = result as JsonObject;
      const wish = isError === true ? { retryDelayMs: 1000 } : {};
      return Promise.resolve({ result, metadata: {}, ...wish });
    },
  };

  async function make(tool: 'pay' | 'read', ...steps: (CallReply | Error)[]): Promise<Watched> {
    const watched = withPlugin(wishes);
    const running = watched.call(tool === 'read' ? { tool: readTool } : {}, ...steps);
    await watched.clock.advance(20_000);
    await running;
    return watched;
  }

  test('has its way with a tool that only reads', async () => {
    expect((await make('read', failed, failed, DONE)).sent).toHaveLength(3);
  });

  test('does not have it with a tool that changes things', async () => {
    expect((await make('pay', failed, DONE)).sent).toHaveLength(1);
  });

  test('does not multiply the attempts that were made already', async () => {
    expect((await make('read', new NotSentError('gone'))).sent).toHaveLength(3);
  });

  test('does not have it against another plugin, and the model hears how the call failed', async () => {
    let calls = 0;
    const watched = withPlugin({
      ...wishes,
      pre: (args) => Promise.resolve({ args, metadata: {}, ...(++calls > 1 ? { violation } : {}) }),
    });
    const running = watched.call({ tool: readTool }, failed);
    await watched.clock.advance(20_000);
    expect(textsOf(await running)).toEqual(['no']);
    expect(watched.sent).toHaveLength(1);
  });

  test('is not waited for once the client has taken the call back', async () => {
    const watched = withPlugin(wishes);
    const controller = new AbortController();
    const running = watched.call({ tool: readTool, signal: controller.signal }, failed);
    const told = expect(running).rejects.toBe('enough');
    await watched.clock.advance(10);
    controller.abort('enough');
    await told;
    expect(watched.sent).toHaveLength(1);
  });

  test('does not have it for ever', async () => {
    expect((await make('read', failed)).sent.length).toBeLessThanOrEqual(11);
  });
});
