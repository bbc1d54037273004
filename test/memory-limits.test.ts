import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { askGateway, sendTo } from './support/ask-gateway.ts';
import { chatStreamOf } from './support/chat-stream-of.ts';
import { startEndlessUpstream } from './support/endless-upstream.ts';
import type { EndlessUpstream } from './support/endless-upstream.ts';
import { startGatewayHere } from './support/gateway-here.ts';
import type { GatewayHere } from './support/gateway-here.ts';
import { NEVER_OPENS } from './support/never-opens.ts';
import { root } from './support/repository.ts';
import { startScriptedUpstream } from './support/scripted-upstream.ts';
import type { ScriptedUpstream } from './support/scripted-upstream.ts';

const RESPONSE = 100_000;
const REQUEST = 200_000;
const API = 10_000;
/** What may be on its way when a stream is ended: in the buffers of both sides. */
const ON_ITS_WAY = 8_000_000;

const WEATHER = join(root, 'test/support/weather-server.mjs');
const PROTOCOLS = ['chat', 'messages', 'responses'] as const;
const PATHS = {
  chat: '/v1/chat/completions',
  messages: '/v1/messages',
  responses: '/v1/responses',
} as const;

const tools = [
  { name: 'f', parameters: { type: 'object', properties: { a: { type: 'string' } } } },
];

let endless: EndlessUpstream;
let scripted: ScriptedUpstream;
let gateway: GatewayHere;
let askingAgain: GatewayHere;
const traceDir = mkdtempSync(join(tmpdir(), 'holdfast-limits-'));

beforeAll(async () => {
  endless = await startEndlessUpstream();
  scripted = await startScriptedUpstream({ body: '{}' });
  const config = {
    upstreams: [
      { name: 'endless', url: endless.url, models: ['endless'] },
      { name: 'scripted', url: scripted.url, models: ['scripted'] },
    ].map((each) => ({ ...each, protocols: PROTOCOLS, circuit: NEVER_OPENS })),
    proxy: { maxResponseBytes: RESPONSE, maxRequestBytes: REQUEST, retry: { maxAttempts: 1 } },
    api: { maxRequestBytes: API },
    mcp: { servers: { weather: { command: process.execPath, args: [WEATHER] } } },
    traceDir,
  };
  gateway = await startGatewayHere(config);
  askingAgain = await startGatewayHere({
    ...config,
    proxy: { ...config.proxy, onInvalid: 'ask-again' },
  });
}, 30_000);

afterAll(async () => {
  await Promise.all([gateway.close(), askingAgain.close()]);
  await Promise.all([endless.close(), scripted.close()]);
  rmSync(traceDir, { recursive: true });
});

const post = (path: string, body: BodyInit, headers: object = {}): Promise<Response> =>
  fetch(gateway.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
    ...(body instanceof ReadableStream && { duplex: 'half' }),
  });

interface SaidError {
  readonly type?: string;
  readonly jsonrpc?: string;
  readonly error: { readonly type?: string; readonly message: string; readonly code?: unknown };
}

const errorIn = async (response: Response): Promise<SaidError> =>
  (await response.json()) as SaidError;

describe('a response of an upstream without end', () => {
  test.each(
    PROTOCOLS.flatMap((protocol) => [
      [protocol, 'text'] as const,
      [protocol, 'arguments'] as const,
    ]),
  )('fails a client of %s that wants no stream: %s', async (protocol, what) => {
    endless.say(what);
    const ask = { protocol, model: 'endless', tools, stream: false };
    const response = await sendTo(gateway.url, ask);
    expect(response.status).toBe(502);
    const { type, error } = await errorIn(response);
    expect(error.message).toContain(`more than ${RESPONSE} bytes`);
    expect(error.message).toContain('proxy.maxResponseBytes');
    expect(type).toBe(protocol === 'messages' ? 'error' : undefined);
    expect(error.type).toBe(protocol === 'messages' ? 'api_error' : 'upstream_error');
    await expect.poll(() => endless.open()).toBe(0);
    expect(endless.sentBytes()).toBeLessThan(ON_ITS_WAY);
  });

  test.each(PROTOCOLS)('fails a client of %s whose model is asked again', async (protocol) => {
    endless.say('text');
    const told = await askGateway(askingAgain.url, {
      protocol,
      model: 'endless',
      tools,
      stream: true,
    });
    expect(told.error?.message).toContain('proxy.maxResponseBytes');
    await expect.poll(() => endless.open()).toBe(0);
  });

  test.each(PROTOCOLS)('fails a stream of %s in a native call', async (protocol) => {
    endless.say('arguments');
    const told = await askGateway(gateway.url, { protocol, model: 'endless', tools, stream: true });
    expect(told.error?.message).toContain('proxy.maxResponseBytes');
    expect(told.calls).toEqual([]);
    expect(told.finish).toBeUndefined();
    await expect.poll(() => endless.open()).toBe(0);
  });

  test('fails a stream of Responses, whose last event repeats it', async () => {
    endless.say('text');
    const ask = { protocol: 'responses', model: 'endless', tools, stream: true } as const;
    const told = await askGateway(gateway.url, ask);
    expect(told.error?.message).toContain('proxy.maxResponseBytes');
    expect(told.text.length).toBeGreaterThan(RESPONSE * 0.9);
  });

  test.each(['chat', 'messages'] as const)('goes on in a stream of %s', async (protocol) => {
    endless.say('text');
    const response = await sendTo(gateway.url, { protocol, model: 'endless', tools, stream: true });
    let received = 0;
    for await (const bytes of response.body!) {
      received += (bytes as Uint8Array).length;
      if (received > 20 * RESPONSE) break;
    }
    expect(received).toBeGreaterThan(20 * RESPONSE);
    await expect.poll(() => endless.open()).toBe(0);
  });
});

describe('a long stream', () => {
  test('arrives complete, and is cut in its trace', async () => {
    const said = 'One word and another. '.repeat(20_000);
    scripted.answerWith({ body: chatStreamOf(said, { cut: 1000 }) });
    const ask = { protocol: 'chat', model: 'scripted', tools, stream: true } as const;
    const told = await askGateway(gateway.url, ask);
    expect(told.text).toBe(said);
    expect(told.finish).toBe('stop');
    const isTraced = (): boolean =>
      readdirSync(traceDir).some((name) => {
        const trace = JSON.parse(readFileSync(join(traceDir, name), 'utf8')) as {
          readonly response: { readonly text: string };
        };
        const { text } = trace.response;
        return text.startsWith('One word') && text.length < 101_000;
      });
    await expect.poll(isTraced).toBe(true);
  });
});

describe('a response that is no stream', () => {
  const braces = (length: number): string => `{"choices":[${'{},'.repeat(length / 3)}{}]}`;
  const deep = `{"choices":${'['.repeat(300)}${']'.repeat(300)}}`;

  test.each(
    PROTOCOLS.flatMap((protocol) => [true, false].map((stream) => [protocol, stream] as const)),
  )('fails with the limit that it is over: %s, stream %s', async (protocol, stream) => {
    const ask = { protocol, model: 'scripted', tools, stream };
    for (const [body, limit] of [
      [
        `{"choices":[],"a":"${'x'.repeat(600_000)}"}`,
        '100000 bytes, the most that is held in memory (proxy.maxResponseBytes)',
      ],
      [braces(90_000), '10000 JSON values, one for 32 bytes'],
      [deep, 'nested deeper than 256 levels'],
    ] as const) {
      scripted.answerWith({ body });
      const response = await sendTo(gateway.url, ask);
      expect(response.status).toBe(502);
      expect((await errorIn(response)).error.message).toContain(limit);
    }
  });
});

describe('an event of a stream', () => {
  test.each([
    ['is longer than a quarter of the limit', `{"a":"${'x'.repeat(RESPONSE / 4)}"}`, 'characters'],
    ['has too many values', `{"a":[${'0,'.repeat(11_000)}0]}`, 'JSON values'],
  ])('that %s fails the stream', async (_, event, what) => {
    scripted.answerWith({ body: `data: ${event}\n\ndata: [DONE]\n\n` });
    const ask = { protocol: 'chat', model: 'scripted', tools, stream: true } as const;
    const { error } = await askGateway(gateway.url, ask);
    expect(error?.message).toContain(what);
    expect(error?.message).toContain('proxy.maxResponseBytes');
  });
});

describe('a request', () => {
  const long = JSON.stringify({ model: 'scripted', messages: [], a: 'x'.repeat(REQUEST) });
  const many = `{"messages":[${'{},'.repeat(20_000)}{}]}`;
  const deep = `{"messages":${'['.repeat(2000)}${']'.repeat(2000)}}`;
  const inChunks = (text: string): BodyInit =>
    Readable.toWeb(
      Readable.from([text.slice(0, 5), text.slice(5)].map((part) => Buffer.from(part))),
    ) as BodyInit;

  test.each(PROTOCOLS)('of %s fails with the limit that it is over', async (protocol) => {
    for (const [body, status, limit] of [
      [long, 413, `${REQUEST} bytes (proxy.maxRequestBytes)`],
      [inChunks(long), 413, `${REQUEST} bytes (proxy.maxRequestBytes)`],
      [many, 413, '10000 JSON values, one for 32 bytes (proxy.maxRequestBytes)'],
      [deep, 400, 'nested deeper than 1000 levels'],
    ] as const) {
      const response = await post(PATHS[protocol], body);
      expect(response.status).toBe(status);
      const { type, error } = await errorIn(response);
      expect(error.message).toContain(limit);
      expect([type, error.type]).toEqual([
        'error',
        status === 413 ? 'request_too_large' : 'invalid_request_error',
      ]);
    }
    expect(scripted.requests.filter(({ body }) => body === long)).toEqual([]);
  });

  test.each(['/api/v1/classify', '/api/v1/parse/stream', '/api/v1/circuits/a/reset'])(
    'to %s may be shorter than one for a model',
    async (path) => {
      const response = await post(path, JSON.stringify({ a: 'x'.repeat(API) }));
      expect(response.status).toBe(413);
      expect((await errorIn(response)).error.message).toContain(
        `the body may have ${API} bytes (api.maxRequestBytes)`,
      );
    },
  );

  test('with text of a model to be parsed may be as long as one for a model', async () => {
    const text = `Yes. `.repeat(5 * API);
    const response = await post('/api/v1/parse', JSON.stringify({ text: text.slice(0, 5 * API) }));
    expect(response.status).toBe(200);
    expect((await post('/api/v1/parse', JSON.stringify({ text }))).status).toBe(413);
  });

  test('of MCP fails as JSON-RPC says', async () => {
    for (const [body, status, code, limit] of [
      [long, 413, -32_600, `${REQUEST} bytes (proxy.maxRequestBytes)`],
      [many, 413, -32_600, 'JSON values'],
      [deep, 400, -32_700, 'nested deeper than 1000 levels'],
    ] as const) {
      const response = await post('/mcp', body, { accept: 'application/json, text/event-stream' });
      expect(response.status).toBe(status);
      const { jsonrpc, error } = await errorIn(response);
      expect([jsonrpc, error.code]).toEqual(['2.0', code]);
      expect(error.message).toContain(limit);
    }
  });
});
