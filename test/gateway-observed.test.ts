import { fileURLToPath } from 'node:url';
import type { JsonObject } from '@holdfast/core';
import { systemClock } from '@holdfast/core/guard';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadConfig } from '../packages/gateway/src/config/load-config.ts';
import { configSecrets, Redactor } from '../packages/gateway/src/redact/redactor.ts';
import { createLogger } from '../packages/gateway/src/log/create-logger.ts';
import { LogRing } from '../packages/gateway/src/log/log-ring.ts';
import { startGateway } from '../packages/gateway/src/start-gateway.ts';
import type { Gateway } from '../packages/gateway/src/start-gateway.ts';
import { chatBodyOf, chatStreamOf } from './support/chat-stream-of.ts';
import { errorAnswer } from './support/scripted-answer.ts';
import { startScriptedUpstream } from './support/scripted-upstream.ts';
import type { ScriptedUpstream } from './support/scripted-upstream.ts';

const TOKEN = 'CANARY-gateway-token';
const CLIENT_KEY = 'CANARY-client-key';
const UPSTREAM_KEY = 'CANARY-upstream-key';
const UPSTREAM_HEADER = 'CANARY-upstream-header';
const SERVER_KEY = 'CANARY-of-the-server';
const ARGUMENT = 'PRIVATE-argument';
const CALL = `<tool_call>{"name":"login","arguments":{"user":"${ARGUMENT}","password":"CANARY-password",}}</tool_call>`;
const UNREAD = `<tool_call>{"name":"login","arguments":{"user":"${ARGUMENT}`;
const LOGIN = {
  type: 'function',
  function: {
    name: 'login',
    parameters: {
      type: 'object',
      properties: { user: { type: 'string' }, password: { type: 'string' } },
    },
  },
};

/** All that is asked of the API, in the hope that it tells a secret. */
const PATHS = [
  '/healthz',
  '/readyz',
  '/metrics',
  '/api/v1/openapi.json',
  '/api/v1/status',
  '/api/v1/overview?minutes=15',
  '/api/v1/overview?minutes=60',
  '/api/v1/circuits',
  '/api/v1/requests?limit=500',
  '/api/v1/parsing',
  '/api/v1/tools',
  '/api/v1/failures?limit=500',
  '/api/v1/replicas',
  '/api/v1/logs?limit=1000',
  '/api/v1/history',
];

describe.each([{ reveal: false }, { reveal: true }])(
  'a gateway that is watched, reveal: $reveal',
  ({ reveal }) => {
    let upstream: ScriptedUpstream;
    let gateway: Gateway;
    const ids: string[] = [];

    const authorization = { authorization: `Bearer ${TOKEN}` };
    const get = (path: string): Promise<Response> =>
      fetch(gateway.url + path, { headers: authorization });
    const json = async (path: string): Promise<JsonObject> =>
      (await (await get(path)).json()) as JsonObject;
    const post = (path: string, body: object, headers: Record<string, string> = authorization) =>
      fetch(gateway.url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      });

    beforeAll(async () => {
      upstream = await startScriptedUpstream(({ headers, json: asked }) => {
        const { model, stream } = asked as { readonly model: string; readonly stream?: boolean };
        const who = `You are ${String(headers.authorization)}.`;
        if (model.endsWith('refused')) return errorAnswer(500, {}, `bad key: ${who}`);
        const said = `${who} ${model.endsWith('cut') ? UNREAD : CALL}`;
        return { body: stream === true ? chatStreamOf(said) : chatBodyOf(said) };
      });
      const file = {
        listen: '127.0.0.1:0',
        token: TOKEN,
        log: { level: 'debug' },
        observe: { capture: true, reveal, history: false },
        proxy: { retry: { maxAttempts: 1 } },
        upstreams: [
          {
            name: 'keyed',
            url: upstream.url,
            models: ['keyed*'],
            apiKey: UPSTREAM_KEY,
            headers: { 'x-team-token': UPSTREAM_HEADER },
          },
          { name: 'open', url: upstream.url },
        ],
        mcp: {
          servers: {
            leaky: {
              command: process.execPath,
              args: [
                fileURLToPath(new URL('support/leaky-server.mjs', import.meta.url)),
                '--api-key',
                'CANARY-in-an-argument',
                'postgres://me:CANARY-in-an-address@db/shop',
              ],
              env: { LEAKY_API_KEY: SERVER_KEY, LEAKY_PAT: 'CANARY-in-a-variable' },
            },
          },
        },
      };
      const loaded = loadConfig(JSON.stringify(file), { file: 'holdfast.yaml', env: {} });
      if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
      const redactor = new Redactor(configSecrets(loaded.config));
      const logs = new LogRing();
      const log = createLogger({
        level: 'debug',
        redactor,
        destination: { write: () => undefined },
        onLine: (line) => logs.add(line),
      });
      gateway = await startGateway(loaded.config, { log, redactor, logs, clock: systemClock });
      await makeTraffic();
    }, 60_000);

    afterAll(async () => {
      await gateway.close();
      await upstream.close();
    }, 20_000);

    async function makeTraffic(): Promise<void> {
      const keys = { 'x-holdfast-token': TOKEN, authorization: `Bearer ${CLIENT_KEY}` };
      const result = { role: 'tool', tool_call_id: 'c1', content: ARGUMENT };
      const call = {
        id: 'c1',
        type: 'function',
        function: { name: 'login', arguments: JSON.stringify({ user: ARGUMENT }) },
      };
      for (const model of [
        'keyed',
        'keyed-refused',
        'open',
        'open-refused',
        'open-cut',
        CLIENT_KEY,
      ]) {
        for (const stream of [false, true]) {
          const answer = await post(
            '/v1/chat/completions?api_key=CANARY-query',
            {
              model,
              stream,
              tools: [LOGIN],
              messages: [
                { role: 'user', content: `My key is ${CLIENT_KEY}.` },
                { role: 'assistant', content: null, tool_calls: [call] },
                result,
              ],
            },
            keys,
          );
          ids.push(answer.headers.get('x-request-id') ?? '');
          await answer.text();
        }
      }
      await callLeaky();
      const told = { content: [{ type: 'text', text: `500 for ${UPSTREAM_KEY}` }], isError: true };
      for (const id of ['1', '2', '3', '4', '5', '6']) {
        const about = { request_id: id, name: 'agent_tool' };
        await post('/api/v1/hooks/tool_pre_invoke', { ...about, args: { user: ARGUMENT } });
        await post('/api/v1/hooks/tool_post_invoke', { ...about, result: told });
      }
      await post('/api/v1/circuits/agent_tool/reset', { note: `by ${UPSTREAM_KEY}` });
    }

    async function callLeaky(): Promise<void> {
      const client = new Client({ name: 'test', version: '1.0.0' });
      const requestInit = { headers: authorization };
      await client.connect(
        new StreamableHTTPClientTransport(new URL(`${gateway.url}/mcp`), { requestInit }),
      );
      for (let times = 0; times < 7; times++) {
        await client
          .callTool({ name: 'leak', arguments: { what: ARGUMENT } })
          .catch(() => undefined);
      }
      await client.close();
    }

    test('counts what happened in all of its parts', async () => {
      const overview = await json('/api/v1/overview');
      expect(overview).toMatchObject({
        totals: { turns: 12, turns_failed: 4, unread_calls: expect.any(Number) as number },
      });
      const { tools } = await json('/api/v1/tools');
      expect(tools).toContainEqual(
        expect.objectContaining({ server: 'leaky', tool: 'leak', calls: 7, failed: 5, refused: 2 }),
      );
      expect(tools).toContainEqual(
        expect.objectContaining({ server: null, tool: 'agent_tool', failed: 5 }),
      );
      const { circuits } = await json('/api/v1/circuits');
      expect(circuits).toContainEqual(
        expect.objectContaining({
          name: 'leaky/leak',
          of: 'mcp',
          state: 'open',
          outcomes: 'fffffrr',
        }),
      );
      expect(circuits).toContainEqual(
        expect.objectContaining({
          name: 'open open-cut',
          of: 'proxy',
          state: 'closed',
          outcomes: 'ss',
        }),
      );
      expect(circuits).toContainEqual(
        expect.objectContaining({
          name: 'agent_tool',
          of: 'sidecar',
          reason: 'reset',
          outcomes: 'fffffr',
        }),
      );
      expect(await json('/readyz')).toEqual({ status: 'ok' });
    });

    test('tells how each turn went', async () => {
      const { requests } = await json('/api/v1/requests');
      expect(requests).toHaveLength(12);
      expect(requests).toContainEqual(
        expect.objectContaining({
          model: 'open',
          upstream: 'open',
          status: 200,
          is_stream: true,
          calls: [{ name: 'login' }],
          formats: ['qwen'],
          repairs: ['trailing-comma'],
          has_capture: true,
          first_byte_ms: expect.any(Number) as number,
          input_tokens: 11,
          output_tokens: 7,
        }),
      );
    });

    test('shows what was said, with arguments only where that is wanted, and with secrets never', async () => {
      const turn = await json(`/api/v1/requests/${ids[4] ?? ''}`);
      expect(turn).toMatchObject({ model: 'open', capture: { is_masked: !reveal } });
      const { capture } = turn;
      expect(capture).toMatchObject({
        told: [
          { kind: 'text' },
          {
            kind: 'call',
            name: 'login',
            arguments: { user: reveal ? ARGUMENT : '***', password: '***' },
            format: 'qwen',
          },
        ],
      });
      expect(JSON.stringify(capture)).toContain('You are Bearer ***');
      expect(JSON.stringify(capture).includes(ARGUMENT)).toBe(reveal);
      const { unread } = await json('/api/v1/parsing');
      expect(unread).toContainEqual(
        expect.objectContaining({ code: 'incomplete-call', model: 'open-cut' }),
      );
      expect(JSON.stringify(unread).includes(ARGUMENT)).toBe(reveal);
    });

    test('tells no secret, whatever is asked', async () => {
      const controller = new AbortController();
      const stream = await fetch(`${gateway.url}/api/v1/events?after=0&logs=1`, {
        headers: authorization,
        signal: controller.signal,
      });
      const texts = await Promise.all(
        [...PATHS, ...ids.map((id) => `/api/v1/requests/${id}`), '/api/v1/circuits/agent_tool'].map(
          async (path) => (await get(path)).text(),
        ),
      );
      const events = await firstChunks(stream, 'event: turn-ended');
      controller.abort();
      expect(events).toContain('event: call-ended');
      expect(events).toContain('event: server-changed');
      const all = [...texts, events].join('\n');
      expect(all).toContain('agent_tool');
      expect(linesWith('CANARY', all)).toEqual([]);
      // What was said stands where it was captured, and nowhere else.
      const uncaptured = [...texts.slice(0, PATHS.length), events]
        .filter((text) => !text.includes('"unread"'))
        .join('\n');
      expect(linesWith(ARGUMENT, uncaptured)).toEqual([]);
    });

    test('describes all that it answers', async () => {
      const { paths } = await json('/api/v1/openapi.json');
      const described = Object.keys(paths as JsonObject);
      for (const path of PATHS) {
        const bare = path.split('?', 1)[0] ?? '';
        if (bare !== '/metrics' && !bare.endsWith('openapi.json'))
          expect(described).toContain(bare);
      }
      for (const path of ['/api/v1/parse', '/api/v1/parse/stream', '/api/v1/events'])
        expect(described).toContain(path);
    });
  },
);

/** What comes of a stream until it has said something. */
async function firstChunks({ body }: Response, word: string): Promise<string> {
  let read = '';
  const decoder = new TextDecoder();
  for await (const chunk of body ?? []) {
    read += decoder.decode(chunk, { stream: true });
    if (read.includes(word) && read.includes('agent_tool')) break;
  }
  return read;
}

function linesWith(part: string, text: string): string[] {
  return text
    .split('\n')
    .filter((line) => line.includes(part))
    .map((line) => {
      const at = line.indexOf(part);
      return line.slice(Math.max(0, at - 200), at + 60);
    });
}
