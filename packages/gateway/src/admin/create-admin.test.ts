import type { JsonObject } from '@holdfast/core';
import { describe, expect, test } from 'vitest';
import { callEnded, turnEnded } from '../observe/gateway-event.case.ts';
import { objectOf, textOf } from '../proxy/json/json-fields.ts';
import { openApi } from '../sidecar/open-api.ts';
import { runningAdmin } from './running-admin.case.ts';

describe('the status of the gateway', () => {
  test('says what is set up, what the proxy knows, and no secret', async () => {
    let turns = 0;
    const { get, clock } = await runningAdmin({
      options: {
        proxy: () => ({ counts: { turns: ++turns } }),
        mcp: () => ({ servers: {} }),
      },
    });
    await clock.advance(1500);
    const { json } = await get('/api/v1/status');
    expect(json).toEqual({
      mcp: { servers: {} },
      version: '1.2.3',
      uptime_ms: 1500,
      eager: false,
      advice: true,
      on_invalid: 'forward',
      upstreams: [
        {
          name: 'lm',
          url: 'http://127.0.0.1:1/v1',
          protocols: ['chat'],
          models: ['*'],
          tool_mode: 'auto',
        },
      ],
      proxy: { counts: { turns: 1 } },
    });
    expect(JSON.stringify(json)).not.toContain('CANARY');
    // It is asked anew every time.
    expect((await get('/api/v1/status')).json).toMatchObject({ proxy: { counts: { turns: 2 } } });
  });

  test.each(['/healthz', '/readyz'])('says ok, and nothing else, at %s', async (path) => {
    const { get } = await runningAdmin();
    const { json, headers } = await get(path);
    expect(json).toEqual({ status: 'ok' });
    expect(headers.get('cache-control')).toBe('no-store');
  });
});

describe('what happened', () => {
  test('is told by time, model and tool', async () => {
    const { get, watched } = await runningAdmin();
    watched.reporter('proxy').emit(
      turnEnded({
        id: 'req/1',
        calls: [{ name: 'pay' }],
        formats: ['qwen'],
        repairs: ['trailing-comma'],
        issues: [{ code: 'unreadable-call', message: 'no name' }],
        error: { kind: 'upstream', message: 'gone' },
      }),
    );
    const report = watched.reporter('mcp');
    report.ended(callEnded({ adviceRules: [] }));
    report.ended(
      callEnded({
        id: 'c2',
        outcome: 'failed',
        class: 'server',
        failureType: 'server_error',
        message: 'HTTP 502 CANARY-key',
        advice: 'Leave it.',
        adviceRules: ['same-call'],
      }),
    );
    expect((await get('/api/v1/overview')).json).toMatchObject({
      since: '2026-01-01T12:00:00.000Z',
      totals: { turns: 1, turns_failed: 1, calls: 2, calls_failed: 1, unread_calls: 1 },
    });
    expect((await get('/api/v1/overview?minutes=60')).json).toMatchObject({ slot_seconds: 60 });
    expect((await get('/api/v1/requests?limit=1&before=9')).json).toMatchObject({
      requests: [{ seq: 1, id: 'req/1', has_capture: false }],
    });
    expect((await get('/api/v1/requests/req%2F1')).json).toMatchObject({
      id: 'req/1',
      capture: null,
    });
    expect((await get('/api/v1/parsing')).json).toMatchObject({
      models: [{ model: 'qwen3', formats: { qwen: 1 }, unread: 1 }],
      unread: [{ request_id: 'req/1', text: null }],
    });
    expect((await get('/api/v1/tools')).json).toMatchObject({
      tools: [{ tool: 'pay', calls: 2, loops: 1, last_failure: { message: 'HTTP 502 ***' } }],
    });
    expect((await get('/api/v1/failures?limit=1')).json).toMatchObject({
      failures: [{ id: 'c2', advice: 'Leave it.', advice_rules: ['same-call'] }],
    });
  });

  test('is told of gateways that are alone as of one replica', async () => {
    const { get, call } = await runningAdmin();
    const failure = { class: 'server', message: '' } as const;
    call('pay');
    for (let times = 0; times < 3; times++) call('ship', failure);
    expect((await get('/api/v1/replicas')).json).toEqual({
      store: null,
      replicas: [
        {
          id: 'self',
          is_self: true,
          version: '1.2.3',
          started_at: '2026-01-01T12:00:00.000Z',
          circuits: 2,
          calls: 4,
          failures: 3,
          not_closed: 1,
        },
      ],
    });
  });

  test('is told from the log, as it was written', async () => {
    const { get, logs } = await runningAdmin();
    for (let line = 1; line <= 3; line++) {
      const time = '2026-01-01T12:00:00.000Z';
      logs.add(JSON.stringify({ time, level: 'info', line, msg: `line ${line}` }));
    }
    expect((await get('/api/v1/logs?limit=2')).json).toEqual({
      lines: [2, 3].map((line) => ({
        at: '2026-01-01T12:00:00.000Z',
        level: 'info',
        message: `line ${line}`,
        fields: { line },
      })),
    });
    for (let line = 0; line < 5000; line++) logs.add('{"msg":"x"}');
    logs.add(JSON.stringify({ level: 'error', msg: 'y'.repeat(100_000) }));
    const { lines } = (await get('/api/v1/logs?limit=1000')).json;
    expect(lines).toHaveLength(1000);
    expect(JSON.stringify(lines).length).toBeLessThan(200_000);
    expect(JSON.stringify(lines)).toContain('[cut, ');
  });

  test('is told from disk only where it is kept there', async () => {
    const { get } = await runningAdmin();
    const { status, json } = await get('/api/v1/history?kind=requests');
    expect(status).toBe(404);
    expect(json).toMatchObject({ error: { type: 'not_found_error' } });
    expect(JSON.stringify(json)).toContain('observe.history');
  });
});

describe('the API', () => {
  const paths = (described: object): [string, string][] =>
    Object.entries(described).flatMap(([path, methods]) =>
      Object.keys(objectOf(methods as never)).map(
        (method) => [method.toUpperCase(), path] as [string, string],
      ),
    );

  test('asks for the token on every path but those for health', async () => {
    const { url, admin } = await runningAdmin({ token: 'CANARY-token' });
    const all = paths(admin.described.paths);
    expect(all.length).toBeGreaterThan(15);
    for (const [method, path] of all) {
      const body = method === 'POST' ? '{}' : undefined;
      const init = {
        method,
        headers: { 'content-type': 'application/json' },
        ...(body && { body }),
      };
      const answer = await fetch(url + path.replaceAll(/[{}]/g, ''), init);
      const isOpen = path === '/healthz' || path === '/readyz';
      expect([path, answer.status]).toEqual([path, isOpen ? 200 : 401]);
      expect(await answer.text()).not.toContain('CANARY');
    }
    const letIn = await fetch(`${url}/api/v1/circuits`, {
      headers: { authorization: 'Bearer CANARY-token' },
    });
    expect(letIn.status).toBe(200);
  });

  test('says what does not fit', async () => {
    const { get } = await runningAdmin();
    const messageOf = async (path: string) => {
      const { status, json } = await get(path);
      return `${status} ${textOf(objectOf(json['error'])['message'])}`;
    };
    expect(await messageOf('/api/v1/overview?minutes=61')).toBe(
      '400 ?minutes: expected a whole number from 1 to 60, got "61"',
    );
    expect(await messageOf('/api/v1/overview?minute=5')).toBe(
      '400 ?"minute": expected minutes behind the ?; did you mean minutes?',
    );
    expect(await messageOf('/api/v1/tools?limit=5')).toBe(
      '400 ?"limit": expected nothing behind the ?',
    );
    expect(await messageOf('/api/v1/events?logs=yes')).toBe(
      '400 ?logs: expected 1 or 0, got "yes"',
    );
    expect(await messageOf('/api/v1/circuits/pay?of=me')).toBe(
      '400 ?of: expected proxy, mcp, sidecar, got "me"',
    );
    expect(await messageOf('/api/v1/requests/none')).toBe(
      '404 there is no request of this id among the last 500',
    );
    expect(await messageOf('/api/v1/requests/a/b')).toBe(
      '404 there is no /api/v1/requests/a/b here',
    );
    expect(await messageOf('/api/v1/requests/%ff')).toContain('percent-encoded');
  });

  test('is described by a document that holds together', async () => {
    const { admin } = await runningAdmin();
    const document = JSON.stringify(openApi([], '1.2.3', admin.described));
    const { schemas } = objectOf(objectOf(JSON.parse(document) as JsonObject)['components']);
    const refs = [...document.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name);
    expect(refs.length).toBeGreaterThan(30);
    for (const name of refs) expect(objectOf(schemas)).toHaveProperty(name ?? '');
    const ids = [...document.matchAll(/"operationId":"(\w+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(document).not.toContain('CANARY');
  });
});
