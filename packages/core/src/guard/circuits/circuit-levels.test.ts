import { describe, expect, test } from 'vitest';
import type { Failure, FailureClass } from '../../internal/failure-class.ts';
import { ManualClock } from '../../testing/manual-clock.ts';
import { CIRCUIT_DEFAULTS } from '../breaker/circuit-options.ts';
import { Circuits } from '../circuits.ts';
import { Executor } from '../executor.ts';
import { PROVIDER_CIRCUIT, SERVER_CIRCUIT } from './circuit-levels.ts';

/** A world of one provider, called tool by tool and failing by class. */
function world() {
  const clock = new ManualClock();
  const circuits = new Circuits({ clock });
  const call = (server: string, tool: string, failure?: FailureClass): boolean => {
    const passed = circuits.forTool(tool, { server, provider: 'acme' });
    const permits = passed.map((circuit) => ({ circuit, admission: circuit.acquire() }));
    const isRefused = permits.some(({ admission }) => 'isRefused' in admission);
    const outcome: Failure | undefined =
      failure === undefined ? undefined : { class: failure, message: failure };
    for (const { circuit, admission } of permits) {
      if ('isRefused' in admission) continue;
      if (isRefused) circuit.release(admission);
      else circuit.settle(admission, outcome);
    }
    clock.skip(100);
    return !isRefused;
  };
  return { clock, circuits, call };
}

describe('circuits of servers and providers', () => {
  test('come behind that of the tool, with thresholds of their own', () => {
    const circuits = new Circuits({ defaults: { openForMs: 5000 } });
    const [tool, server, provider] = circuits.forTool('search', {
      server: 'github',
      provider: 'acme',
    });
    expect(tool.name).toBe('github/search');
    expect(tool.settings).toEqual({ ...CIRCUIT_DEFAULTS, openForMs: 5000 });
    expect(server?.name).toBe('server:github');
    expect(server?.settings).toEqual({ ...CIRCUIT_DEFAULTS, openForMs: 5000, ...SERVER_CIRCUIT });
    expect(provider?.name).toBe('provider:acme');
    expect(provider?.settings).toEqual({
      ...CIRCUIT_DEFAULTS,
      openForMs: 5000,
      ...PROVIDER_CIRCUIT,
    });
    expect(circuits.get('server:gitlab').settings).toBe(server?.settings);
  });

  test('can be set for all servers, and for one', () => {
    const circuits = new Circuits({
      serverDefaults: { minCalls: 20 },
      overrides: { 'server:slow': { failureRatio: 1 } },
    });
    const [, usual] = circuits.forTool('a', { server: 'usual' });
    const [, slow] = circuits.forTool('a', { server: 'slow' });
    expect(usual?.settings).toMatchObject({ failureRatio: 0.8, minCalls: 20 });
    expect(slow?.settings).toMatchObject({ failureRatio: 1, minCalls: 20 });
  });

  test('are shared by tools that have a circuit in common', () => {
    const circuits = new Circuits({ tools: { read: 'files', write: 'files' } });
    const [read, server] = circuits.forTool('read', { server: 'disk' });
    expect(circuits.forTool('write', { server: 'disk' })).toEqual([read, server]);
    expect(read.name).toBe('files');
  });

  test('are left out where nobody says where a tool lives', () => {
    expect(new Circuits().forTool('search')).toHaveLength(1);
  });

  test('cannot be reached by a tool that takes their name', () => {
    const { circuits } = world();
    const [tool] = circuits.forTool('server:github');
    for (let time = 0; time < 50; time++) {
      const admission = tool.acquire();
      if (!('isRefused' in admission))
        tool.settle(admission, { class: 'transport', message: 'down' });
    }
    expect(tool.state).toBe('open');
    expect(circuits.healthy('server:github')).toBe(true);
  });

  test.each<FailureClass>(['transport', 'timeout', 'server', 'rate-limited', 'tool-error'])(
    'let siblings through while one tool alone keeps failing for an hour: %s',
    (failure) => {
      const { circuits, clock, call } = world();
      let refused = 0;
      for (let second = 0; second < 3600; second++) {
        if (!call('github', 'broken', failure)) refused++;
        clock.skip(900);
      }
      expect(refused).toBeGreaterThan(3400);
      expect(circuits.healthy('server:github')).toBe(true);
      expect(call('github', 'search')).toBe(true);
    },
  );

  test('open when all tools of a server fail, and leave other servers alone', () => {
    const { circuits, call } = world();
    for (let round = 0; round < 5; round++)
      for (const tool of ['a', 'b', 'c']) call('github', tool, 'transport');
    expect(circuits.healthy('server:github')).toBe(false);
    expect(call('github', 'never called')).toBe(false);
    expect(call('gitlab', 'a')).toBe(true);
    expect(circuits.healthy('provider:acme')).toBe(true);
  });

  test('stay closed when tools report errors of their own: the server is alive', () => {
    const { circuits, call } = world();
    for (let round = 0; round < 5; round++)
      for (let tool = 0; tool < 20; tool++) call('github', `tool${tool}`, 'tool-error');
    expect(circuits.healthy('github/tool0')).toBe(false);
    expect(circuits.healthy('server:github')).toBe(true);
    expect(call('github', 'another')).toBe(true);
  });

  test('open for the provider when several of its servers are down', () => {
    const { circuits, call } = world();
    for (let round = 0; round < 5; round++)
      for (const server of ['one', 'two', 'three'])
        for (const tool of ['a', 'b', 'c']) call(server, tool, 'transport');
    expect(circuits.healthy('provider:acme')).toBe(false);
    expect(call('four', 'a')).toBe(false);
  });

  test('let siblings through when many calls of one tool hang at once', async () => {
    const { clock, circuits } = world();
    const places = { server: 'github', provider: 'acme' };
    const hanging = new Executor({ clock, circuits: () => circuits.forTool('broken', places) });
    const calls = Array.from({ length: 100 }, () =>
      hanging.run(() => new Promise(() => undefined)),
    );
    await clock.advance(30_000);
    await Promise.all(calls);
    expect(circuits.healthy('github/broken')).toBe(false);
    expect(circuits.healthy('server:github')).toBe(true);
    expect(circuits.get('server:github').metrics().failures).toBe(5);
  });

  test('give the tool its place back when they refuse', async () => {
    const { clock, circuits, call } = world();
    for (let time = 0; time < 5; time++) call('github', 'search', 'server');
    await clock.advance(60_000);
    circuits.get('server:github').isolate('maintenance');
    const run = new Executor({ clock, circuits: circuits.forTool('search', { server: 'github' }) });
    expect((await run.run(() => 'fine')).ok).toBe(false);
    circuits.reset('server:github');
    expect((await run.run(() => 'fine')).ok).toBe(true);
    expect(circuits.healthy('github/search')).toBe(true);
  });
});
