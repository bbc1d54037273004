import { context, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { chatBodyOf } from './support/chat-stream-of.ts';
import { startGatewayHere } from './support/gateway-here.ts';
import type { GatewayHere } from './support/gateway-here.ts';
import { answerRemote } from './support/remote-server.ts';
import type { RemoteRequest } from './support/remote-server.ts';
import { root } from './support/repository.ts';
import { errorAnswer } from './support/scripted-answer.ts';
import { startScriptedUpstream } from './support/scripted-upstream.ts';
import type { ScriptedUpstream } from './support/scripted-upstream.ts';
import { until } from './support/until.ts';

const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN_ID = '00f067aa0ba902b7';
const GIVEN = {
  traceparent: `00-${TRACE_ID}-${SPAN_ID}-01`,
  tracestate: 'rojo=1',
  baggage: 'user=alice',
};
const KEY = 'CANARY-upstream-key';

const configFor = (): object => ({
  proxy: { retry: { baseDelayMs: 1, maxDelayMs: 1 } },
  upstreams: [
    { name: 'first', url: upstream.url, models: ['tiny', 'broken'], apiKey: KEY },
    { name: 'second', url: upstream.url, models: ['broken'] },
  ],
  mcp: {
    timeoutMs: 300,
    prefix: 'never',
    servers: {
      weather: {
        command: process.execPath,
        args: [join(root, 'test/support/weather-server.mjs')],
      },
      far: { url: `${remote.origin}/mcp` },
    },
  },
});

let upstream: ScriptedUpstream;
/** A server over HTTP. */
let remote: ScriptedUpstream;
let gateway: GatewayHere;

async function askTurn(
  model: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  return fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: 'hi' }] }),
  });
}

interface ToolReply {
  readonly result?: { readonly content: readonly [{ readonly text: string }] };
  readonly error?: { readonly code: number };
}

let session: string | undefined;

/** A request as a client of 2025 makes it, without an SDK that would add to it. */
async function post(
  message: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  return fetch(`${gateway.url}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(session !== undefined && { 'mcp-session-id': session }),
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', ...message }),
  });
}

async function callTool(
  name: string,
  { meta, headers }: { readonly meta?: object; readonly headers?: Record<string, string> } = {},
): Promise<ToolReply> {
  const params = { name, arguments: {}, ...(meta && { _meta: meta }) };
  const answer = await post({ id: 7, method: 'tools/call', params }, headers);
  const text = await answer.text();
  const data = /^data: (.*)$/m.exec(text)?.[1] ?? text;
  return JSON.parse(data) as ToolReply;
}

/** What the server was told in `_meta`. */
function metaOf({ result }: ToolReply): Record<string, unknown> {
  return JSON.parse(result!.content[0].text) as Record<string, unknown>;
}

async function start(): Promise<void> {
  upstream = await startScriptedUpstream(({ json, headers }) => {
    const { model } = json as { readonly model: string };
    return model === 'broken' && headers['authorization'] !== undefined
      ? errorAnswer(500, {}, `it broke for ${headers['authorization']}`)
      : { body: chatBodyOf('hello') };
  });
  remote = await startScriptedUpstream(answerRemote);
  gateway = await startGatewayHere(configFor());
  session = undefined;
  const clientInfo = { name: 'test', version: '1' };
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
  const answer = await post({ id: 1, method: 'initialize', params });
  session = answer.headers.get('mcp-session-id') ?? undefined;
  await answer.text();
  await post({ method: 'notifications/initialized' });
}

async function stop(): Promise<void> {
  await gateway.close();
  await upstream.close();
  await remote.close();
}

/** What the server over HTTP was told of a call in the headers. */
function headersOfCall(): object {
  const isCall = ({ json }: { readonly json: unknown }): boolean =>
    (json as RemoteRequest | undefined)?.method === 'tools/call';
  return remote.requests.findLast(isCall)!.headers;
}

describe('a gateway without an SDK', () => {
  beforeAll(start, 20_000);
  afterAll(stop);

  test('carries a trace from a request for a turn to the upstream', async () => {
    await askTurn('tiny', GIVEN);
    expect(upstream.requests.at(-1)?.headers).toMatchObject(GIVEN);
  });

  test('says in its log which trace a turn belongs to', async () => {
    await askTurn('tiny', GIVEN);
    const line = gateway.log.entries.findLast(({ message }) => message === 'turn');
    expect(line?.fields).toMatchObject({ trace_id: TRACE_ID, span_id: SPAN_ID });
  });

  test('carries a trace from HTTP headers to a server over pipes', async () => {
    expect(metaOf(await callTool('get_weather', { headers: GIVEN }))).toMatchObject(GIVEN);
  });

  test('carries a trace from _meta to _meta, which goes before headers', async () => {
    const meta = { traceparent: GIVEN.traceparent.replace(/^00-4b/, '00-aa'), baggage: 'b=c' };
    const told = metaOf(await callTool('get_weather', { meta, headers: GIVEN }));
    expect(told).toMatchObject(meta);
    expect(told).not.toHaveProperty('tracestate');
  });

  test('carries a trace to a server over HTTP twice: in _meta and in headers', async () => {
    expect(metaOf(await callTool('look_far', { meta: GIVEN }))).toMatchObject(GIVEN);
    expect(headersOfCall()).toMatchObject(GIVEN);
  });

  test('makes up no trace', async () => {
    await askTurn('tiny');
    expect(upstream.requests.at(-1)?.headers).not.toHaveProperty('traceparent');
    expect(metaOf(await callTool('get_weather'))).not.toHaveProperty('traceparent');
  });
});

describe('a gateway with an SDK', () => {
  const exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });

  beforeAll(async () => {
    trace.setGlobalTracerProvider(provider);
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
    await start();
  }, 20_000);
  afterAll(async () => {
    await stop();
    trace.disable();
    context.disable();
  });
  beforeEach(() => exporter.reset());

  /** What was finished, once there are so many. */
  async function spans(count: number): Promise<readonly ReadableSpan[]> {
    await until(() => exporter.getFinishedSpans().length >= count);
    const found = exporter.getFinishedSpans();
    expect(found).toHaveLength(count);
    return found;
  }

  test('makes a span of a turn, and one of the request to the upstream within it', async () => {
    await askTurn('tiny', GIVEN);
    const [asked, served] = await spans(2);

    expect(served).toMatchObject({
      name: 'POST /v1/chat/completions',
      kind: SpanKind.SERVER,
      parentSpanContext: { traceId: TRACE_ID, spanId: SPAN_ID, isRemote: true },
      status: { code: SpanStatusCode.UNSET },
      attributes: {
        'http.request.method': 'POST',
        'http.route': '/v1/chat/completions',
        'http.response.status_code': 200,
        'gen_ai.operation.name': 'chat',
        'gen_ai.request.model': 'tiny',
        'gen_ai.provider.name': 'first',
        'gen_ai.response.finish_reasons': ['stop'],
        'holdfast.protocol': 'chat',
      },
    });
    expect(asked).toMatchObject({
      name: 'chat tiny',
      kind: SpanKind.CLIENT,
      parentSpanContext: { traceId: TRACE_ID, spanId: served!.spanContext().spanId },
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': 'first',
        'gen_ai.request.model': 'tiny',
        'server.address': '127.0.0.1',
        'server.port': upstream.port,
        'http.response.status_code': 200,
      },
    });
    const { spanId } = asked!.spanContext();
    expect(upstream.requests.at(-1)?.headers).toMatchObject({
      ...GIVEN,
      traceparent: `00-${TRACE_ID}-${spanId}-01`,
    });
    const line = gateway.log.entries.findLast(({ message }) => message === 'turn');
    expect(line?.fields).toMatchObject({
      trace_id: TRACE_ID,
      span_id: served!.spanContext().spanId,
    });
  });

  test('leaves the headers to an instrumentation of HTTP clients, and makes its span one of ours', async () => {
    const seen: (string | undefined)[] = [];
    const listen = (): void => void seen.push(trace.getActiveSpan()?.spanContext().spanId);
    subscribe('undici:request:create', listen);
    onTestFinished(() => void unsubscribe('undici:request:create', listen));
    await askTurn('tiny', GIVEN);
    const [asked] = await spans(2);

    const { headers } = upstream.requests.at(-1)!;
    expect(headers).not.toHaveProperty('traceparent');
    expect(headers).not.toHaveProperty('tracestate');
    expect(headers).toMatchObject({ baggage: GIVEN.baggage });
    expect(seen).toContain(asked?.spanContext().spanId);
  });

  test('makes a span of every attempt, and tells no secret in any', async () => {
    const answer = await askTurn('broken');
    expect(answer.status).toBe(200);
    const [failed, asked, served] = await spans(3);

    expect(failed).toMatchObject({
      name: 'chat broken',
      status: { code: SpanStatusCode.ERROR },
      attributes: {
        'error.type': 'upstream',
        'http.response.status_code': 500,
        'gen_ai.provider.name': 'first',
      },
    });
    expect(asked).toMatchObject({
      attributes: {
        'gen_ai.provider.name': 'second',
        'http.request.resend_count': 1,
        'holdfast.failover': true,
      },
    });
    expect(served?.attributes['error.type']).toBeUndefined();
    const told = [failed, asked, served].map((span) => [
      span!.name,
      span!.attributes,
      span!.status,
    ]);
    expect(JSON.stringify(told)).not.toContain('CANARY');
  });

  test('makes a span of a tool call on either side, which the server is told of', async () => {
    const told = metaOf(await callTool('get_weather', { headers: GIVEN }));
    const [asked, served] = await spans(2);

    expect(served).toMatchObject({
      name: 'tools/call get_weather',
      kind: SpanKind.SERVER,
      parentSpanContext: { traceId: TRACE_ID, spanId: SPAN_ID },
      attributes: {
        'mcp.method.name': 'tools/call',
        'gen_ai.tool.name': 'get_weather',
        'gen_ai.operation.name': 'execute_tool',
        'jsonrpc.request.id': '7',
        'mcp.protocol.version': '2025-11-25',
        'network.transport': 'tcp',
      },
    });
    expect(asked).toMatchObject({
      name: 'tools/call get_weather',
      kind: SpanKind.CLIENT,
      parentSpanContext: { traceId: TRACE_ID, spanId: served!.spanContext().spanId },
      attributes: {
        'mcp.method.name': 'tools/call',
        'gen_ai.tool.name': 'get_weather',
        'network.transport': 'pipe',
        'holdfast.mcp.server': 'weather',
      },
    });
    expect(told).toMatchObject({
      ...GIVEN,
      traceparent: `00-${TRACE_ID}-${asked!.spanContext().spanId}-01`,
    });
  });

  test('says where a server over HTTP is, and tells it of the span', async () => {
    const told = metaOf(await callTool('look_far', { meta: GIVEN }));
    const [asked] = await spans(2);
    expect(asked?.attributes).toMatchObject({
      'network.transport': 'tcp',
      'server.address': '127.0.0.1',
      'server.port': remote.port,
      'mcp.protocol.version': '2025-11-25',
    });
    const traceparent = `00-${TRACE_ID}-${asked!.spanContext().spanId}-01`;
    expect(told).toMatchObject({ traceparent });
    expect(headersOfCall()).toMatchObject({ traceparent });
  });

  test('knows the request of a client of 2026 by the name that the client has for it', async () => {
    const revision = '2026-07-28';
    const params = {
      name: 'get_weather',
      arguments: {},
      _meta: {
        ...GIVEN,
        'io.modelcontextprotocol/protocolVersion': revision,
        'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    };
    const answer = await post(
      { id: 'mine', method: 'tools/call', params },
      {
        'mcp-protocol-version': revision,
        'mcp-method': 'tools/call',
        'mcp-name': 'get_weather',
      },
    );
    expect(await answer.text()).toContain('"id":"mine"');
    const [, served] = await spans(2);
    expect(served).toMatchObject({
      parentSpanContext: { traceId: TRACE_ID, spanId: SPAN_ID },
      attributes: { 'jsonrpc.request.id': 'mine', 'mcp.protocol.version': revision },
    });
  });

  test('begins a trace where there is none', async () => {
    const told = metaOf(await callTool('get_weather'));
    const [asked, served] = await spans(2);
    expect(served?.parentSpanContext).toBeUndefined();
    expect(told['traceparent']).toContain(served?.spanContext().traceId);
    expect(asked?.spanContext().traceId).toBe(served?.spanContext().traceId);
  });

  test.each([
    ['storm', 'tool_error', 'tool_error', undefined],
    ['fog', '-32602', '-32602', '-32602'],
    ['drought', 'timeout', 'tool_error', undefined],
  ])('says how %s failed', async (tool, asked, served, code) => {
    await callTool(tool);
    const found = await spans(2);
    const of = (kind: SpanKind): ReadableSpan => found.find((span) => span.kind === kind)!;
    expect(of(SpanKind.CLIENT).attributes['error.type']).toBe(asked);
    expect(of(SpanKind.CLIENT).attributes['rpc.response.status_code']).toBe(code);
    expect(of(SpanKind.SERVER).attributes['error.type']).toBe(served);
    expect(of(SpanKind.SERVER).status.code).toBe(SpanStatusCode.ERROR);
  });

  test('makes a span of other requests too', async () => {
    await (await post({ id: 8, method: 'tools/list' })).text();
    const [served] = await spans(1);
    expect(served).toMatchObject({
      name: 'tools/list',
      attributes: { 'mcp.method.name': 'tools/list' },
    });
    expect(served?.attributes).not.toHaveProperty('gen_ai.operation.name');
  });
});
