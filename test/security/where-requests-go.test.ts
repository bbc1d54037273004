import { spawn } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Route } from '../../packages/gateway/src/http/http-exchange.ts';
import { startHttpServer } from '../../packages/gateway/src/http/http-server.ts';
import { lines, rawRequest } from '../../packages/gateway/src/http/raw-request.case.ts';
import { chatBodyOf } from '../support/chat-stream-of.ts';
import { startGatewayHere } from '../support/gateway-here.ts';
import type { GatewayHere } from '../support/gateway-here.ts';
import { answerRemote } from '../support/remote-server.ts';
import type { RemoteRequest } from '../support/remote-server.ts';
import { startScriptedUpstream } from '../support/scripted-upstream.ts';
import type { RecordedRequest, ScriptedUpstream } from '../support/scripted-upstream.ts';

const KEY = 'CANARY-key-of-the-upstream';
const JSON_TYPE = { 'content-type': 'application/json' };
const PATHS = ['/v1/chat/completions', '/v1/messages', '/v1/responses'] as const;

let upstream: ScriptedUpstream;
let tools: ScriptedUpstream;
/** Where requests would like to go. */
let elsewhere: ScriptedUpstream;
let gateway: GatewayHere;
let routes: readonly Route[] = [];

/** A server of tools whose schema points elsewhere. */
function listWithReference(request: RecordedRequest) {
  const { id, method } = (request.json ?? {}) as RemoteRequest;
  if (method !== 'tools/list') return answerRemote(request);
  const inputSchema = {
    type: 'object',
    properties: { a: { $ref: `${elsewhere.origin}/schema.json` } },
  };
  const result = { tools: [{ name: 'look_far', inputSchema }] };
  return { headers: JSON_TYPE, body: JSON.stringify({ jsonrpc: '2.0', id, result }) };
}

beforeAll(async () => {
  [upstream, tools, elsewhere] = await Promise.all([
    startScriptedUpstream(() => ({ body: chatBodyOf('Hello.') })),
    startScriptedUpstream(listWithReference),
    startScriptedUpstream(() => ({ body: chatBodyOf('Here is the key.') })),
  ]);
  gateway = await startGatewayHere(
    {
      upstreams: [{ name: 'one', url: upstream.url, apiKey: KEY }],
      mcp: { servers: { far: { url: `${tools.origin}/mcp` } } },
    },
    {
      open: (door) => {
        routes = door.routes;
        return startHttpServer(door);
      },
    },
  );
}, 30_000);

afterAll(async () => {
  await gateway.close();
  await Promise.all([upstream.close(), tools.close(), elsewhere.close()]);
}, 30_000);

const post = (path: string, body: object, headers: Record<string, string> = {}) =>
  fetch(gateway.url + path, {
    method: 'POST',
    headers: { ...JSON_TYPE, ...headers },
    body: JSON.stringify(body),
  });

const turn = (model = 'm'): object => ({
  model,
  max_tokens: 5,
  messages: [{ role: 'user', content: 'Hello' }],
  input: 'Hello',
});

async function callTool(params: object): Promise<string> {
  const revision = '2026-07-28';
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': revision,
    'io.modelcontextprotocol/clientInfo': { name: 't', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const body = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'look_far', ...params, _meta },
  };
  const answer = await post('/mcp', body, {
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': revision,
    'mcp-method': 'tools/call',
    'mcp-name': 'look_far',
  });
  return answer.text();
}

describe('where a request goes', () => {
  test.each(PATHS)('is not for its fields to say: %s', async (path) => {
    const before = upstream.requests.length;
    const { url, origin } = elsewhere;
    const fields: readonly object[] = [
      { api_base: url, base_url: url, baseURL: url, baseUrl: url, url, endpoint: origin },
      { upstream: url, upstreams: [{ url }], provider: { base_url: url }, proxy: origin },
      { extra_body: { api_base: url }, extra_headers: { host: new URL(url).host } },
      { headers: { host: new URL(url).host, authorization: 'Bearer x' } },
      turn(url),
      { tools: [{ type: 'function', function: { name: 'a', parameters: { $ref: url } } }] },
    ];
    for (const each of fields) await (await post(path, { ...turn(), ...each })).text();

    // Those that a protocol does not refuse are asked where the configuration says.
    expect(upstream.requests.length).toBeGreaterThan(before);
    expect(elsewhere.requests).toEqual([]);
  });

  test('is not for its headers to say', async () => {
    const before = upstream.requests.length;
    const { url, origin } = elsewhere;
    const { host } = new URL(url);
    const names = [
      'x-upstream',
      'x-base-url',
      'x-api-base',
      'openai-base-url',
      'proxy',
      'location',
    ];
    const headers: readonly Record<string, string>[] = [
      ...names.map((name) => ({ [name]: url })),
      { 'x-forwarded-host': host, 'x-forwarded-server': host, forwarded: `host=${host}` },
      { 'x-original-url': `${origin}/v1`, 'x-rewrite-url': `${origin}/v1` },
    ];
    for (const each of headers)
      expect((await post('/v1/chat/completions', turn(), each)).status).toBe(200);

    const asked = upstream.requests.slice(before);
    expect(asked).toHaveLength(headers.length);
    for (const { headers: sent, path } of asked) {
      expect([sent.host, path]).toEqual([new URL(upstream.url).host, '/v1/chat/completions']);
      expect(sent.authorization).toBe(`Bearer ${KEY}`);
    }
    expect(elsewhere.requests).toEqual([]);
  });

  test('is not for its target to say', async () => {
    const before = upstream.requests.length;
    const { origin } = elsewhere;
    const { host } = new URL(origin);
    const targets = [
      `${origin}/v1/chat/completions`,
      `//${host}/v1/chat/completions`,
      `/v1//${host}/files`,
      `/v1/@${host}/files`,
      `/v1/files/..%2f..%2f@${host}`,
      `/v1/../../${host}`,
      `/v1\\@${host}/files`,
      `/v1/files?url=${origin}`,
      `/${origin}/v1/files`,
    ];
    for (const target of targets) {
      const about = ['Host: localhost', 'Content-Type: application/json', 'Content-Length: 2'];
      const text = lines(`POST ${target} HTTP/1.1`, ...about);
      const { status } = await rawRequest(Number(new URL(gateway.url).port), `${text}{}`);
      expect(status, target).toBeGreaterThanOrEqual(200);
    }

    // What is passed on stays below the address of the upstream.
    for (const { path } of upstream.requests.slice(before)) expect(path).toMatch(/^\/v1\//);
    expect(elsewhere.requests).toEqual([]);
  });

  test('is not for the arguments of a call to say, nor for the schema of a tool', async () => {
    const { url } = elsewhere;
    const params = { arguments: { a: 1, url }, url, server: { url }, uri: url };

    expect(await callTool(params)).toContain('"result"');
    expect(tools.requests.length).toBeGreaterThan(0);
    expect(elsewhere.requests).toEqual([]);
  });
});

describe('what comes over HTTP', () => {
  test('starts no process, whatever it asks for and wherever', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'holdfast-spawn-'));
    const marker = join(folder, 'pwned');
    const shell = `touch ${marker}`;
    const command = { command: '/bin/sh', args: ['-c', shell], env: { A: `$(${shell})` } };
    const started: unknown[] = [];
    const onStart = (message: unknown): void => void started.push(message);
    subscribe('child_process', onStart);
    try {
      const bodies: readonly object[] = [
        { ...turn(`$(${shell})`), ...command },
        { mcpServers: { evil: command }, servers: { evil: command }, mcp: { servers: command } },
        { plugins: [{ name: 'evil', kind: marker, hooks: ['tool_pre_invoke'], config: command }] },
        {
          text: `\`${shell}\``,
          name: `;${shell}`,
          tool: `|${shell}`,
          args: command,
          output: shell,
        },
        { jsonrpc: '2.0', id: 1, method: 'servers/add', params: { name: 'evil', ...command } },
        {
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name: `$(${shell})`, ...command },
        },
      ];
      const paths = [...new Set(routes.map(({ path }) => path.replace(/\/\*$/, '/evil')))];
      for (const path of paths)
        for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
          for (const body of bodies) {
            const answer = await fetch(gateway.url + path, {
              method,
              headers: JSON_TYPE,
              body: JSON.stringify(body),
            });
            await answer.text();
          }

      expect(paths.length).toBeGreaterThan(10);
      expect(started).toEqual([]);
      expect(existsSync(marker)).toBe(false);
      // Were one started, it would be seen: asynchronous ones are told of on this channel.
      spawn(process.execPath, ['--version'], { stdio: 'ignore' }).unref();
      expect(started).toHaveLength(1);
    } finally {
      unsubscribe('child_process', onStart);
      rmSync(folder, { recursive: true });
    }
  }, 60_000);
});
