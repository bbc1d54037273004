import { afterAll, beforeAll, describe, expect, test } from 'vitest';
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
  });
}, 30_000);

afterAll(async () => {
  await Promise.all([gateway.close(), upstream.close()]);
}, 30_000);

const askForFiles = (): Promise<Response> =>
  fetch(`${gateway.url}/v1/files`, { redirect: 'manual' });

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
    expect(answer.headers.get('x-request-id')).toBe('req_1');
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
