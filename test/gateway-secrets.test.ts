import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chatBodyOf, chatStreamOf } from './support/chat-stream-of.ts';
import { SAMPLE_TOOLS } from './support/sample-calls.ts';
import { errorAnswer } from './support/scripted-answer.ts';
import { startScriptedUpstream } from './support/scripted-upstream.ts';
import type { ScriptedUpstream } from './support/scripted-upstream.ts';
import { startGateway } from './support/start-gateway.ts';
import type { RunningGateway } from './support/start-gateway.ts';

const TOKEN = 'CANARY-gateway-token';
const CLIENT_KEY = 'CANARY-client-key';
const UPSTREAM_KEY = 'CANARY-upstream-key';
const UPSTREAM_HEADER = 'CANARY-upstream-header';
/** Headers that clients and upstreams have keys in. */
const KEY_HEADERS = {
  'ocp-apim-subscription-key': 'CANARY-subscription',
  'x-vault-token': 'CANARY-vault',
};
const KEYS_SAID = Object.values(KEY_HEADERS).join(' ');
const SECRET_CALL =
  '<tool_call>{"name":"login","arguments":{"password":"CANARY-argument"}}</tool_call>';

const LOGIN = {
  type: 'function',
  function: {
    name: 'login',
    parameters: { type: 'object', properties: { password: { type: 'string' } } },
  },
};

/** The upstream says back whatever key it was asked with, as some do in their errors. */
describe('secrets', { timeout: 60_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-secrets-'));
  let upstream: ScriptedUpstream;
  let gateway: RunningGateway;

  beforeAll(async () => {
    upstream = await startScriptedUpstream(({ headers, json }) => {
      const { model, stream } = json as { readonly model: string; readonly stream?: boolean };
      const key = String(headers['x-functions-key']);
      const said = `You are ${String(headers.authorization)} and ${key}. ${SECRET_CALL}`;
      if (model.endsWith('refused')) return errorAnswer(401, {}, `bad key: ${said}`);
      return { body: stream === true ? chatStreamOf(said) : chatBodyOf(said) };
    });
    gateway = await startGateway({
      token: TOKEN,
      log: { level: 'debug' },
      traceDir: join(folder, 'traces'),
      upstreams: [
        {
          name: 'keyed',
          url: upstream.url,
          models: ['keyed*'],
          apiKey: UPSTREAM_KEY,
          headers: { 'x-team-token': UPSTREAM_HEADER, 'x-functions-key': 'CANARY-functions' },
        },
        { name: 'open', url: upstream.url },
      ],
    });
  });
  afterAll(async () => {
    await upstream.close();
    rmSync(folder, { recursive: true });
  });

  const ask = (path: string, headers: Record<string, string>, body: object): Promise<Response> =>
    fetch(gateway.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({
        messages: [{ role: 'user', content: `My keys are ${CLIENT_KEY} and ${KEYS_SAID}.` }],
        max_tokens: 100,
        ...body,
      }),
    });

  test('reach the upstream they are for, and no log and no trace', async () => {
    const chat = '/v1/chat/completions?api_key=CANARY-query';
    const authorization = `Bearer ${CLIENT_KEY}`;
    const keys = { ...KEY_HEADERS, 'x-holdfast-token': TOKEN, authorization };
    const claude = { ...KEY_HEADERS, 'x-api-key': TOKEN, authorization };
    for (const stream of [false, true]) {
      for (const model of ['keyed', 'keyed-refused', 'open', 'open-refused']) {
        await (await ask(chat, keys, { model, stream, tools: [LOGIN, ...SAMPLE_TOOLS] })).text();
        await (await ask('/v1/messages', claude, { model, stream })).text();
      }
    }
    for (const refused of ['', '-refused']) {
      const model = `${CLIENT_KEY}${refused}`;
      const named = await ask(chat, { ...keys, 'x-request-id': CLIENT_KEY }, { model });
      expect(named.headers.get('x-request-id')).not.toBe(CLIENT_KEY);
      const error = (await ask('/v1/messages', claude, { model: 'keyed-refused' })).text();
      expect(linesWith('CANARY', await error)).toEqual([]);
    }
    await ask(chat, { authorization: 'Bearer CANARY-wrong-token' }, { model: 'open' });
    await ask('/v1/messages', { ...keys, cookie: 'a=CANARY-cookie' }, { model: 5 });

    await gateway.close();
    const traces = readdirSync(join(folder, 'traces')).map((name) =>
      readFileSync(join(folder, 'traces', name), 'utf8'),
    );
    const calls = traces.flatMap(
      (trace) => (JSON.parse(trace) as { response: { tool_calls: unknown[] } }).response.tool_calls,
    );

    expect(gateway.log()).toContain('this gateway needs its token');
    expect(linesWith('CANARY', gateway.log())).toEqual([]);
    expect(traces).toHaveLength(20);
    expect(linesWith('CANARY', traces.join('\n'))).toEqual([]);
    expect(calls).toContainEqual(
      expect.objectContaining({ name: 'login', arguments: { password: '***' } }),
    );

    const sent = upstream.requests.map(({ headers }) => JSON.stringify(headers));
    expect(linesWith(TOKEN, sent.join('\n'))).toEqual([]);
    for (const { headers, json } of upstream.requests) {
      const isKeyed = (json as { readonly model: string }).model.startsWith('keyed');
      expect(headers['x-team-token']).toBe(isKeyed ? UPSTREAM_HEADER : undefined);
      expect(JSON.stringify(headers).includes(UPSTREAM_KEY)).toBe(isKeyed);
      if (isKeyed) expect(JSON.stringify(headers)).not.toContain(CLIENT_KEY);
    }
  });
});

function linesWith(part: string, text: string): string[] {
  return text.split('\n').filter((line) => line.includes(part));
}
