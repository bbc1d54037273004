import { describe, expect, test } from 'vitest';
import { ManualClock } from '@holdfast/core/testing';
import type { Plugin, PluginContext, PluginViolation } from './plugin.ts';
import { hostOf, loadedPlugin } from './plugin-host.case.ts';

const NO: PluginViolation = { reason: 'no', description: 'Not this one.', code: 'NO', details: {} };

/** A plugin that notes when it runs. */
function noting(seen: string[], name: string, plugin: Plugin = {}): Plugin {
  return {
    tool_pre_invoke: (payload, context) => {
      seen.push(`${name} pre`);
      return plugin.tool_pre_invoke?.(payload, context);
    },
    tool_post_invoke: (payload, context) => {
      seen.push(`${name} post`);
      return plugin.tool_post_invoke?.(payload, context);
    },
    tool_abandoned: () => void seen.push(`${name} abandoned`),
    shutdown: () => void seen.push(`${name} shut down`),
  };
}

const never = (): Promise<undefined> => new Promise(() => undefined);

describe('plugins around a call', () => {
  test('run in the order they are given, before and after', async () => {
    const seen: string[] = [];
    const { begin } = hostOf(['a', 'b'].map((name) => loadedPlugin(noting(seen, name), { name })));
    const run = begin();
    await run.pre({});
    await run.post('done');
    expect(seen).toEqual(['a pre', 'b pre', 'a post', 'b post']);
  });

  test('pass on what the one before them changed', async () => {
    const add = (key: string): Plugin => ({
      tool_pre_invoke: ({ name, args }) => ({
        modified_payload: { name, args: { ...args, [key]: Object.keys(args).length } },
        metadata: { [key]: true, last: key },
      }),
      tool_post_invoke: (payload) => ({
        modified_payload: { ...payload, result: `${JSON.stringify(payload.result)} ${key}` },
      }),
    });
    const run = hostOf(['a', 'b'].map((name) => loadedPlugin(add(name), { name }))).begin();
    expect(await run.pre({ x: 1 })).toEqual({
      args: { x: 1, a: 1, b: 2 },
      metadata: { a: true, b: true, last: 'b' },
    });
    expect(await run.post('done')).toMatchObject({
      result: '"\\"done\\" a" b',
      metadata: { last: 'b' },
    });
  });

  test('change nothing in place', async () => {
    const vandal: Plugin = {
      tool_pre_invoke: ({ args }) => {
        Object.assign(args, { x: 2 });
        return undefined;
      },
    };
    const args = { x: 1 };
    expect(
      (
        await hostOf([loadedPlugin(vandal)])
          .begin()
          .pre(args)
      ).args,
    ).toEqual({ x: 1 });
  });

  test('keep what they know from before to after, each its own', async () => {
    const contexts: PluginContext[] = [];
    const counter: Plugin = {
      tool_pre_invoke: (_, context) => {
        context.state['mine'] = contexts.push(context);
        return undefined;
      },
      tool_post_invoke: (_, { state }) => ({
        metadata: { [`seen${String(state['mine'])}`]: true },
      }),
    };
    const run = hostOf(['a', 'b'].map((name) => loadedPlugin(counter, { name }))).begin();
    await run.pre({});
    expect((await run.post(null)).metadata).toEqual({ seen1: true, seen2: true });
    expect(contexts[0]).toMatchObject({ request_id: '1', shown_name: 'search' });
  });

  test('stop a call, and let go of it where others stopped it', async () => {
    const seen: string[] = [];
    const { begin } = hostOf([
      loadedPlugin(noting(seen, 'a'), { name: 'a' }),
      loadedPlugin(noting(seen, 'b', { tool_pre_invoke: () => ({ violation: NO }) }), {
        name: 'b',
      }),
      loadedPlugin(noting(seen, 'c'), { name: 'c' }),
    ]);
    expect((await begin().pre({})).violation).toEqual(NO);
    expect(seen).toEqual(['a pre', 'b pre', 'a abandoned']);
  });

  test('hold a result back', async () => {
    const seen: string[] = [];
    const run = hostOf([
      loadedPlugin({ tool_post_invoke: () => ({ continue_processing: false }) }),
      loadedPlugin(noting(seen, 'b'), { name: 'b' }),
    ]).begin();
    await run.pre({});
    expect((await run.post('x')).violation?.code).toBe('PLUGIN_VIOLATION');
    expect(seen).toEqual(['b pre', 'b abandoned']);
  });

  test('hear once of a call that is abandoned', async () => {
    const seen: string[] = [];
    const run = hostOf([loadedPlugin(noting(seen, 'a'))]).begin();
    await run.pre({});
    run.abandon();
    run.abandon();
    expect(seen).toEqual(['a pre', 'a abandoned']);
  });

  test('are not waited for when the call is abandoned', async () => {
    const { begin, clock } = hostOf([loadedPlugin({ tool_pre_invoke: never })]);
    const run = begin();
    const outcome = run.pre({ x: 1 });
    run.abandon();
    expect((await outcome).args).toEqual({ x: 1 });
    expect(clock.pendingTimers).toBe(0);
  });

  test('cost no timer where they answer at once, and nothing where there are none', async () => {
    const { begin, clock } = hostOf([loadedPlugin(noting([], 'a'))]);
    const outcome = begin().pre({});
    expect(clock.pendingTimers).toBe(0);
    await outcome;
    expect(hostOf([]).host.begin({ requestId: '1', tool: 'search' })).toBeUndefined();
  });

  test('run only at the hooks their file names', async () => {
    const seen: string[] = [];
    const run = hostOf([loadedPlugin(noting(seen, 'a'), { hooks: ['tool_post_invoke'] })]).begin();
    await run.pre({});
    await run.post('x');
    expect(seen).toEqual(['a post']);
  });
});

describe('modes', () => {
  const stops: Plugin = { tool_pre_invoke: () => ({ violation: NO }) };
  const changes: Plugin = {
    tool_pre_invoke: ({ name }) => ({ modified_payload: { name, args: { changed: true } } }),
  };

  test.each([
    ['sequential', true, true],
    ['transform', false, true],
    ['audit', false, false],
    ['concurrent', true, false],
    ['fire_and_forget', false, false],
  ] as const)('%s: stops %s, changes %s', async (phase, stopping, changing) => {
    const stopped = await hostOf([loadedPlugin(stops, { phase })])
      .begin()
      .pre({});
    expect(stopped.violation !== undefined).toBe(stopping);
    const changed = await hostOf([loadedPlugin(changes, { phase })])
      .begin()
      .pre({});
    expect('changed' in changed.args).toBe(changing);
  });

  test('what may not stop a call is logged instead', async () => {
    const { begin, log } = hostOf([loadedPlugin(stops, { phase: 'transform' })]);
    await begin().pre({});
    expect(log.entries).toMatchObject([
      {
        level: 'warn',
        message: 'plugin test would have stopped search: no',
        fields: { code: 'NO' },
      },
    ]);
  });

  test('concurrent plugins run at the same time, and the first objection decides', async () => {
    const seen: string[] = [];
    const slow = noting(seen, 'slow', { tool_pre_invoke: never });
    const objects = noting(seen, 'objects', {
      tool_pre_invoke: () => Promise.resolve({ violation: NO }),
    });
    const { begin, clock } = hostOf([
      loadedPlugin(slow, { name: 'slow', phase: 'concurrent' }),
      loadedPlugin(objects, { name: 'objects', phase: 'concurrent' }),
    ]);
    expect((await begin().pre({})).violation?.code).toBe('NO');
    expect(seen).toEqual(['slow pre', 'objects pre', 'slow abandoned']);
    expect(clock.pendingTimers).toBe(0);
  });

  test('nobody waits for fire_and_forget, and its failure is only logged', async () => {
    const fails: Plugin = { tool_pre_invoke: () => Promise.reject(new Error('disk full')) };
    const { begin, log, clock } = hostOf([
      loadedPlugin({ tool_pre_invoke: never }, { name: 'a', phase: 'fire_and_forget' }),
      loadedPlugin(fails, { name: 'b', phase: 'fire_and_forget', onError: 'ignore' }),
    ]);
    expect(await begin().pre({ x: 1 })).toEqual({ args: { x: 1 }, metadata: {} });
    await clock.advance(0);
    expect(log.entries.map(({ message }) => message)).toEqual([
      'plugin b failed in tool_pre_invoke: disk full',
    ]);
  });
});

describe('a plugin that fails', () => {
  const FAULTS: readonly (readonly [string, Plugin, string])[] = [
    [
      'throws',
      {
        tool_pre_invoke: () => {
          throw new Error('oops');
        },
      },
      'oops',
    ],
    ['rejects', { tool_pre_invoke: () => Promise.reject(new Error('oops')) }, 'oops'],
    [
      'answers with nonsense',
      { tool_pre_invoke: () => 5 as never },
      'expected an object or nothing',
    ],
    [
      'gives back no arguments',
      { tool_pre_invoke: () => ({ modified_payload: { name: 'x' } as never }) },
      'modified_payload.args: expected an object, got nothing',
    ],
    [
      'answers with what is no JSON',
      { tool_pre_invoke: () => ({ metadata: { n: 1n as never } }) },
      'BigInt',
    ],
  ];

  test.each(FAULTS)('and %s, ends the call by on_error: fail', async (_, plugin, message) => {
    const { begin, log } = hostOf([loadedPlugin(plugin)]);
    expect((await begin().pre({})).violation).toEqual({
      code: 'PLUGIN_ERROR',
      reason: 'Plugin test failed',
      description: 'The plugin test failed, so search was not called.',
      details: { plugin: 'test' },
      http_status_code: 500,
    });
    expect(log.entries[0]?.message).toContain(message);
  });

  test.each(FAULTS)('and %s, changes nothing by on_error: ignore', async (_, plugin) => {
    const seen: string[] = [];
    const { begin } = hostOf([
      loadedPlugin(plugin, { onError: 'ignore' }),
      loadedPlugin(noting(seen, 'next'), { name: 'next' }),
    ]);
    expect(await begin().pre({ x: 1 })).toEqual({ args: { x: 1 }, metadata: {} });
    expect(seen).toEqual(['next pre']);
  });

  test('and hangs, has the time of plugin_timeout', async () => {
    const signals: AbortSignal[] = [];
    const hangs: Plugin = {
      tool_pre_invoke: (_, { signal }) => {
        signals.push(signal);
        return never();
      },
    };
    const { begin, clock } = hostOf([loadedPlugin(hangs)], 30_000);
    const outcome = begin().pre({});
    await clock.advance(29_999);
    expect(signals[0]?.aborted).toBe(false);
    await clock.advance(1);
    expect((await outcome).violation?.code).toBe('PLUGIN_TIMEOUT');
    expect(signals[0]?.aborted).toBe(true);
  });

  test('is left out from then on by on_error: disable', async () => {
    let calls = 0;
    const fails: Plugin = {
      tool_pre_invoke: () => {
        calls += 1;
        throw new Error('oops');
      },
    };
    const { begin, host, log } = hostOf([loadedPlugin(fails, { onError: 'disable' })]);
    expect((await begin().pre({})).violation).toBeUndefined();
    expect(host.begin({ requestId: '2', tool: 'search' })).toBeUndefined();
    expect(calls).toBe(1);
    expect(log.entries.at(-1)).toMatchObject({ level: 'error' });
  });

  test('after a call holds the result back and says that the tool ran', async () => {
    const run = hostOf([
      loadedPlugin({ tool_post_invoke: () => Promise.reject(new Error('key=sk-1')) }),
    ]).begin();
    const { violation } = await run.post('x');
    expect(violation?.description).toBe(
      'The plugin test failed, after search had run, so its result is held back. Do not assume that nothing happened.',
    );
    expect(JSON.stringify(violation)).not.toContain('sk-1');
  });
});

describe('conditions', () => {
  test.each([
    [[], true],
    [[{ tools: ['search'] }], true],
    [[{ tools: ['other'] }], false],
    [[{ tools: ['search'], server_ids: ['two'] }], false],
    [[{ tools: ['search'], server_ids: ['one'] }], true],
    [[{ tools: ['other'] }, { server_ids: ['one'] }], true],
    [[{ tools: [], server_ids: [] }], true],
    [[{ tenant_ids: ['t1'] }], true],
    [[{ tenant_ids: ['t2'] }], false],
    [[{ user_patterns: ['^adm.n@', 'root'] }], true],
    [[{ user_patterns: ['^min@'] }], false],
  ])('%j decide: %s', (conditions, runs) => {
    const { host } = hostOf([loadedPlugin(noting([], 'a'), { conditions })]);
    const call = {
      requestId: '1',
      tool: 'search',
      server: 'one',
      tenant: 't1',
      user: 'admin@example.com',
    };
    expect(host.begin(call) !== undefined).toBe(runs);
  });

  test('that name users do not fit a call without one', () => {
    const { host } = hostOf([
      loadedPlugin(noting([], 'a'), { conditions: [{ user_patterns: ['.*'] }] }),
    ]);
    expect(host.begin({ requestId: '1', tool: 'search' })).toBeUndefined();
  });

  test('cost linear time, whatever the pattern', () => {
    const { host } = hostOf([
      loadedPlugin(noting([], 'a'), { conditions: [{ user_patterns: ['^(a+)+$'] }] }),
    ]);
    const user = `${'a'.repeat(900)}!`;
    expect(host.begin({ requestId: '1', tool: 'search', user })).toBeUndefined();
  });

  test('and mode say whether a plugin guards a tool', () => {
    const guard = (entry: Parameters<typeof loadedPlugin>[1]): boolean =>
      hostOf([{ ...loadedPlugin({}, entry), keepsCircuits: true }]).host.guardsTool('pay', 'bank');
    expect(guard({})).toBe(true);
    expect(guard({ conditions: [{ tools: ['pay'] }] })).toBe(true);
    expect(guard({ conditions: [{ tools: ['other'] }] })).toBe(false);
    expect(guard({ phase: 'transform' })).toBe(false);
    expect(guard({ hooks: ['tool_pre_invoke'] })).toBe(false);
  });
});

describe('plugins that are replaced', () => {
  const set = (seen: string[], name: string): Parameters<typeof hostOf>[0] => [
    loadedPlugin(noting(seen, name), { name }),
  ];

  test('finish the calls they began, and are shut down after the last', async () => {
    const seen: string[] = [];
    const { host, begin } = hostOf(set(seen, 'old'));
    const run = begin();
    await run.pre({});
    host.replace({ plugins: set(seen, 'new'), timeoutMs: 1000 });
    await begin().pre({});
    await run.post('x');
    await Promise.resolve();
    expect(seen).toEqual(['old pre', 'new pre', 'old post', 'old shut down']);
  });

  test('stay for a call that is about to be made again', async () => {
    const seen: string[] = [];
    const again = noting(seen, 'old', { tool_post_invoke: () => ({ retry_delay_ms: 500 }) });
    const { host, begin, clock } = hostOf([loadedPlugin(again)]);
    const run = begin();
    await run.pre({});
    expect((await run.post('x')).retryDelayMs).toBe(500);
    host.replace({ plugins: [], timeoutMs: 1000 });
    await clock.advance(500);
    await run.pre({});
    await clock.advance(5000);
    expect(seen).toEqual(['old pre', 'old post', 'old pre']);
    run.abandon();
    await clock.advance(0);
    expect(seen.slice(-2)).toEqual(['old abandoned', 'old shut down']);
  });

  test('are not shut down while the next ones are the same', async () => {
    const seen: string[] = [];
    const plugins = set(seen, 'kept');
    const { host } = hostOf(plugins);
    host.replace({ plugins, timeoutMs: 1000 });
    await Promise.resolve();
    expect(seen).toEqual([]);
    await host.close();
    expect(seen).toEqual(['kept shut down']);
  });

  test('cannot keep the gateway from ending', async () => {
    const clock = new ManualClock();
    const { host, log } = hostOf([loadedPlugin({ shutdown: never })], 1000, clock);
    const closed = host.close();
    await clock.advance(5000);
    await closed;
    expect(log.entries[0]?.message).toContain('plugin test failed to shut down');
  });
});
