import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  connectTo,
  lines,
  rawRequest,
  readAll,
} from '../../packages/gateway/src/http/raw-request.case.ts';
import { chatBodyOf, chatStreamOf } from '../support/chat-stream-of.ts';
import { startGatewayHere } from '../support/gateway-here.ts';
import type { GatewayHere } from '../support/gateway-here.ts';
import { startScriptedUpstream } from '../support/scripted-upstream.ts';
import type { ScriptedUpstream } from '../support/scripted-upstream.ts';

const KEY = 'CANARY-upstream-key';

let upstream: ScriptedUpstream;
let gateway: GatewayHere;

beforeAll(async () => {
  upstream = await startScriptedUpstream({ body: '{}' });
  gateway = await startGatewayHere({
    upstreams: [{ name: 'one', url: upstream.url, apiKey: KEY }],
    proxy: { retry: { maxAttempts: 1 } },
  });
}, 30_000);

afterAll(async () => {
  await Promise.all([gateway.close(), upstream.close()]);
}, 30_000);

const askForFiles = (): Promise<Response> =>
  fetch(`${gateway.url}/v1/files`, { redirect: 'manual' });

/** Headers that act on the client or speak for the gateway. */
const HOSTILE = {
  'alt-svc': 'h3="evil.example:443"',
  'cache-control': 'public, max-age=31536000',
  'clear-site-data': '"*"',
  expires: 'Fri, 01 Jan 2100 00:00:00 GMT',
  link: '<https://evil.example/x>; rel=preload',
  nel: '{"report_to":"x","max_age":1}',
  refresh: '0; url=https://evil.example',
  'report-to': '{"max_age":1}',
  'service-worker-allowed': '/',
  'set-cookie': 'session=1',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'www-authenticate': 'Basic realm="evil"',
  'x-accel-redirect': '/etc/passwd',
  'x-holdfast-advice': 'forged',
  'x-request-id': 'req_forged',
};

/** What the SDKs of OpenAI, Anthropic and Vercel, Claude Code and Codex read. */
const USED = {
  'anthropic-organization-id': 'org_1',
  'anthropic-ratelimit-unified-status': 'allowed',
  'openai-processing-ms': '12',
  ratelimit: 'limit=10',
  'request-id': 'req_of_the_upstream',
  'x-codex-primary-used-percent': '3',
  'x-ratelimit-remaining-requests': '7',
  'x-should-retry': 'false',
};

const TURN = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'Hi' }] });
const askForTurn = (body: string): Promise<Response> =>
  fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });

describe('response headers of an upstream', () => {
  test.each([
    ['on a path that is passed on', '{}', askForFiles],
    ['on a turn', chatBodyOf('Hello.'), () => askForTurn(TURN)],
    ['on a stream', chatStreamOf('Hello.'), () => askForTurn(TURN.replace('{', '{"stream":true,'))],
  ])('pass by an allowlist %s', async (_, body, ask) => {
    upstream.answerWith({ headers: { ...HOSTILE, ...USED }, body });
    const answer = await ask();
    await answer.text();

    expect(answer.status).toBe(200);
    const { 'cache-control': caching, 'x-request-id': id, ...others } = HOSTILE;
    for (const name of Object.keys(others)) expect(answer.headers.get(name), name).toBe(null);
    expect(answer.headers.get('x-request-id')).not.toBe(id);
    expect(answer.headers.get('cache-control')).not.toBe(caching);
    expect(Object.fromEntries(answer.headers)).toMatchObject(USED);
  });

  test('pass by the same allowlist on an error', async () => {
    const headers = { ...HOSTILE, ...USED, 'retry-after': '7' };
    upstream.answerWith({ status: 429, headers, body: '{"error":{"message":"slow down"}}' });
    const answer = await askForTurn(TURN);
    await answer.text();

    expect(answer.status).toBe(429);
    for (const name of Object.keys(HOSTILE))
      expect(answer.headers.get(name), name).not.toBe(HOSTILE[name as keyof typeof HOSTILE]);
    expect(Object.fromEntries(answer.headers)).toMatchObject({ ...USED, 'retry-after': '7' });
  });

  test('keep what describes the body of a path that is passed on, and forbid to store it', async () => {
    const headers = {
      'content-type': 'video/mp4',
      'content-disposition': 'attachment; filename="a.mp4"',
      'content-range': 'bytes 0-1/2',
      'retry-after-ms': '20',
    };
    upstream.answerWith({ status: 206, headers, body: 'ab' });
    const answer = await askForFiles();
    await answer.text();

    expect(Object.fromEntries(answer.headers)).toMatchObject(headers);
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });
});

describe('methods', () => {
  test.each(['TRACE', 'PROPFIND', 'LINK', 'PURGE', 'QUERY'])(
    '%s is refused and reaches no upstream',
    async (method) => {
      const before = upstream.requests.length;
      const port = Number(new URL(gateway.url).port);
      const answer = await rawRequest(
        port,
        lines(`${method} /v1/files HTTP/1.1`, 'Host: localhost'),
      );

      expect(answer.status).toBe(405);
      expect(answer.headers['allow']).toBe('GET, HEAD, POST, PUT, PATCH, DELETE');
      expect(upstream.requests).toHaveLength(before);
    },
  );

  test('CONNECT ends the connection and reaches no upstream', async () => {
    const before = upstream.requests.length;
    const socket = connectTo(Number(new URL(gateway.url).port));
    socket.write(lines('CONNECT localhost:80 HTTP/1.1', 'Host: localhost'));

    expect(await readAll(socket)).toBe('');
    expect(upstream.requests).toHaveLength(before);
  });

  test.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])('%s is passed on', async (method) => {
    upstream.answerWith({ body: '{}' });
    const answer = await fetch(`${gateway.url}/v1/files`, { method });

    expect(answer.status).toBe(200);
    expect(upstream.requests.at(-1)?.method).toBe(method);
  });
});

describe('answers that are passed on as they are', () => {
  test('open nothing to web pages, set no cookie and run as no page of ours', async () => {
    upstream.answerWith({
      headers: {
        'content-type': 'text/html',
        'access-control-allow-origin': '*',
        'access-control-allow-credentials': 'true',
        'content-security-policy': "script-src 'unsafe-inline'",
        'set-cookie': 'session=1',
        'x-request-id': 'req_1',
      },
      body: '<script>fetch("/api/v1/status")</script>',
    });
    const answer = await askForFiles();

    expect(await answer.text()).toBe('<script>fetch("/api/v1/status")</script>');
    const names = [...answer.headers.keys()];
    expect(names.filter((name) => name.startsWith('access-control-'))).toEqual([]);
    expect(answer.headers.getSetCookie()).toEqual([]);
    expect(answer.headers.get('content-security-policy')).toBe("sandbox; default-src 'none'");
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(answer.headers.get('x-request-id')).not.toBe('req_1');
  });

  test('hold no key of the gateway where they are errors', async () => {
    const error = { message: `Incorrect API key provided: ${KEY}` };
    upstream.answerWith({ status: 401, body: JSON.stringify({ error }) });
    const answer = await askForFiles();

    expect(answer.status).toBe(401);
    expect(answer.headers.get('x-holdfast-upstream')).toBe('one');
    expect(await answer.json()).toEqual({ error: { message: 'Incorrect API key provided: ***' } });
  });

  test.each([301, 302, 303, 307, 308])(
    'send no client elsewhere with its token: %i',
    async (status) => {
      upstream.answerWith({ status, headers: { location: 'http://evil.example/v1' }, body: '' });
      const answer = await askForFiles();

      expect(answer.status).toBe(502);
      expect(answer.headers.has('location')).toBe(false);
      expect(await answer.text()).toContain('one redirects to another address');
    },
  );
});
