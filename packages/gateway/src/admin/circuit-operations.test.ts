import type { Failure } from '@holdfast/core/guard';
import { CircuitBreaker } from '@holdfast/core/guard';
import { describe, expect, test } from 'vitest';
import { objectOf, textOf } from '../proxy/json/json-fields.ts';
import { fleetCircuits, fleetView } from './fleet-json.ts';
import { CircuitDirectory } from './circuit-directory.ts';
import { runningAdmin } from './running-admin.case.ts';

const BROKEN: Failure = { class: 'server', message: 'HTTP 500' };
const NAME = 'shop/pay';
const PATH = `/api/v1/circuits/${encodeURIComponent(NAME)}`;

async function opened() {
  const running = await runningAdmin();
  running.call(NAME);
  for (let times = 0; times < 3; times++) running.call(NAME, BROKEN);
  running.call(NAME);
  return running;
}

describe('circuits', () => {
  test('are told with their state, their last calls and why they are open', async () => {
    const { get, call, clock } = await opened();
    call('shop/ship');
    clock.skip(2500);
    const { circuits } = (await get('/api/v1/circuits')).json;
    expect(circuits).toEqual([
      {
        name: 'shop/pay',
        of: 'mcp',
        state: 'open',
        is_isolated: false,
        retry_after_seconds: 7.5,
        open_until: '2026-01-01T12:00:10.000Z',
        reason: 'failure_threshold_exceeded',
        note: null,
        since: '2026-01-01T12:00:00.000Z',
        window: { calls: 4, failures: 3, slow: 0 },
        consecutive_failures: 3,
        outcomes: 'sfffr',
        metrics: { total_calls: 5, successes: 1, failures: 3, rejections: 1, ignored: 0 },
        fleet: null,
      },
      expect.objectContaining({
        name: 'shop/ship',
        state: 'closed',
        retry_after_seconds: 0,
        open_until: null,
        reason: null,
        since: null,
        outcomes: 's',
      }),
    ]);
  });

  test('are told one by one with settings and history', async () => {
    const { get, clock } = await opened();
    clock.skip(10_000);
    const { json } = await get(PATH);
    expect(json).toMatchObject({
      state: 'half_open',
      settings: { consecutive_failures: 3, open_for_ms: 10_000, slow_call_ms: null, counts: {} },
      history: [
        { from: 'closed', to: 'open', reason: 'failure_threshold_exceeded', note: null },
        { at: '2026-01-01T12:00:10.000Z', to: 'half_open', reason: 'recovery_timeout_expired' },
      ],
    });
  });

  test('are reset by hand, with a note', async () => {
    const { post, watched } = await opened();
    const { json } = await post(`${PATH}/reset`, { note: 'the server is back' });
    expect(json).toMatchObject({ state: 'closed', reason: 'reset', note: 'the server is back' });
    expect(watched.observer.recent({ types: new Set(['circuit-closed']) })).toMatchObject([
      { source: 'mcp', event: { circuit: NAME, reason: 'reset' } },
    ]);
    expect((await post(`${PATH}/reset`, {})).status).toBe(200);
  });

  test('are isolated by hand, until they are reset or for a while', async () => {
    const { post, get, clock } = await opened();
    const forever = await post(`${PATH}/isolate`, { reason: 'moving' });
    expect(forever.json).toMatchObject({
      state: 'open',
      is_isolated: true,
      retry_after_seconds: null,
      open_until: null,
      note: 'moving',
    });
    await post(`${PATH}/reset`, {});
    const { json } = await post(`${PATH}/isolate`, { reason: 'moving', for_seconds: 60 });
    expect(json).toMatchObject({ is_isolated: true, open_until: '2026-01-01T12:01:00.000Z' });
    clock.skip(60_000);
    expect((await get(PATH)).json).toMatchObject({ state: 'half_open', is_isolated: false });
  });

  test.each([
    ['pai', 'none was used yet'],
    ['shop/pya', 'did you mean "shop/pay"?'],
    ['pay', 'did you mean "shop/pay"?'],
    ['something else entirely', 'there are 1'],
  ])('that are not there are not found: %s', async (name, hint) => {
    const { get, call } = await runningAdmin();
    if (!hint.startsWith('none')) call(NAME);
    const { status, json } = await get(`/api/v1/circuits/${encodeURIComponent(name)}`);
    expect(status).toBe(404);
    expect(objectOf(json['error'])['message']).toBe(
      `there is no circuit ${JSON.stringify(name)}; ${hint}`,
    );
  });

  test.each([
    ['isolate', {}, 'reason'],
    ['isolate', { reason: '' }, 'reason'],
    ['isolate', { reason: 'x', for_seconds: 0 }, 'for_seconds'],
    ['isolate', { reason: 'x', for_seconds: 1e12 }, 'for_seconds'],
    ['isolate', { reason: 'x', seconds: 5 }, 'seconds'],
    ['reset', { note: 5 }, 'note'],
    ['reset', [], 'JSON object'],
  ])('are not changed by what does not fit: %s %j', async (action, body, word) => {
    const { post, get } = await opened();
    const { status, json } = await post(`${PATH}/${action}`, body);
    expect([status, textOf(objectOf(json['error'])['message'])]).toEqual([
      400,
      expect.stringContaining(word),
    ]);
    expect((await get(PATH)).json).toMatchObject({ state: 'open', is_isolated: false });
  });

  test('are changed by JSON only: what a page could send without asking is refused', async () => {
    const { url, get } = await opened();
    for (const [headers, body, status] of [
      [{ 'content-type': 'text/plain' }, '{}', 415],
      [{ 'content-type': 'application/x-www-form-urlencoded' }, 'note=x', 415],
      [{}, '', 400],
      [{ 'content-type': 'application/json', origin: 'https://evil.example' }, '{}', 403],
    ] as const) {
      const answer = await fetch(`${url}${PATH}/reset`, { method: 'POST', headers, body });
      expect(answer.status).toBe(status);
    }
    expect((await get(PATH)).json).toMatchObject({ state: 'open' });
  });

  test('of one name belong to whoever is asked for', async () => {
    const mine = new CircuitBreaker('pay');
    const theirs = new CircuitBreaker('pay');
    const { get } = await runningAdmin({
      options: {
        circuits: () => [
          ['proxy', [mine]],
          ['sidecar', [theirs]],
        ],
      },
    });
    expect((await get('/api/v1/circuits/pay')).json).toMatchObject({ of: 'proxy' });
    expect((await get('/api/v1/circuits/pay?of=sidecar')).json).toMatchObject({ of: 'sidecar' });
    expect((await get('/api/v1/circuits/pay?of=mcp')).status).toBe(404);
  });

  test('become half-open when it is time, though nobody asks', async () => {
    const { watched, clock } = await opened();
    const types = new Set(['circuit-half-opened']);
    await clock.advance(9_999);
    expect(watched.observer.recent({ types })).toEqual([]);
    await clock.advance(2);
    expect(watched.observer.recent({ types })).toMatchObject([{ event: { circuit: NAME } }]);
  });

  test('that were closed by hand are not waited for', async () => {
    const { post, clock } = await opened();
    const before = clock.pendingTimers;
    await post(`${PATH}/isolate`, { reason: 'moving' });
    expect(clock.pendingTimers).toBe(before - 1);
  });
});

describe('a fleet', () => {
  const shared = {
    version: 7,
    state: 'half-open',
    openForMs: 0,
    openings: 1,
    reason: undefined,
    note: undefined,
    replica: 'b',
    calls: 9,
    failures: 4,
    slow: 0,
    tokens: 10,
    probeInMs: 0,
  } as const;
  const fleet = {
    status: () => ({
      replica: 'a',
      isDegraded: false,
      reason: undefined,
      replicas: 2,
      circuits: [
        { name: 'mcp:pay', state: 'closed', shared } as const,
        { name: 'model:pay', state: 'closed', shared: { ...shared, state: 'open' } } as const,
        { name: 'plugin:own:buy', state: 'closed', shared } as const,
        { name: 'plugin:own:pay', state: 'closed', shared: { ...shared, version: 8 } } as const,
        { name: 'mcp:ship', state: 'closed', shared: undefined } as const,
      ],
    }),
  };

  test('is told of each circuit that it shares', () => {
    const view = fleetCircuits(fleet);
    expect(view('mcp', 'pay')).toEqual({
      state: 'half_open',
      version: 7,
      replica: 'b',
      calls: 9,
      failures: 4,
    });
    expect([view('mcp', 'ship'), view('mcp', 'other')]).toEqual([undefined, undefined]);
    expect(view('proxy', 'pay')).toMatchObject({ state: 'open' });
    expect(view('sidecar', 'pay')).toMatchObject({ version: 8 });
    expect([view('mcp', 'buy'), view('proxy', 'buy')]).toMatchObject([{ version: 7 }, undefined]);
  });

  test('is told by its replicas, or by this one while its store is away', async () => {
    const directory = new CircuitDirectory(() => []);
    const record = { id: 'a', startedAt: 0, notClosed: ['x'], circuits: 3, calls: 5, failures: 1 };
    const about = { version: '1', startedAt: 0 };
    const secret = async (): Promise<string> => '';
    const open = { fleet: fleet as never, secret, close: async () => undefined };
    const there = fleetView(
      {
        ...open,
        replicas: async () => [
          { ...record, version: '1' },
          { ...record, id: 'b', version: '1' },
        ],
      },
      directory,
      about,
    );
    expect(await there()).toMatchObject({
      store: { kind: 'redis', is_degraded: false, reason: null },
      replicas: [
        { id: 'a', is_self: true, not_closed: 1, started_at: '1970-01-01T00:00:00.000Z' },
        { id: 'b', is_self: false },
      ],
    });
    const away = fleetView(
      { ...open, replicas: () => Promise.reject(new Error('no answer')) },
      directory,
      about,
    );
    expect(await away()).toMatchObject({
      store: { is_degraded: true, reason: 'no answer' },
      replicas: [{ id: 'a', is_self: true }],
    });
  });
});
