import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import { connectSdkV2 } from '../support/connect-sdk-v2.ts';
import { textOf } from '../support/faulty-servers.ts';
import { startGatewayHere } from '../support/gateway-here.ts';
import type { GatewayHere } from '../support/gateway-here.ts';
import type { McpTestClient } from '../support/mcp-test-client.ts';
import { answerRemote } from '../support/remote-server.ts';
import type { RemoteRequest } from '../support/remote-server.ts';
import type { ScriptedAnswer } from '../support/scripted-answer.ts';
import { startScriptedUpstream } from '../support/scripted-upstream.ts';
import type { RecordedRequest, ScriptedUpstream } from '../support/scripted-upstream.ts';
import { until } from '../support/until.ts';

const KEY = 'CANARY-key-of-the-server';
const KEYS = { authorization: `Bearer ${KEY}`, 'x-api-key': KEY };
const LIMIT = 100_000;
const TOO_LONG = `far sent a message longer than ${LIMIT} bytes, or of more JSON values`;

const open: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.close();
});

/** A server that answers calls, and whatever else it is told to, in a way of its own. */
async function server(
  answer: (asked: RemoteRequest, request: RecordedRequest) => ScriptedAnswer | undefined,
): Promise<ScriptedUpstream> {
  const started = await startScriptedUpstream((request) => {
    const own =
      request.json === undefined ? undefined : answer(request.json as RemoteRequest, request);
    return own ?? answerRemote(request);
  });
  open.push(started);
  return started;
}

async function gatewayTo(url: string, type = 'http'): Promise<GatewayHere> {
  const far = { type, url, headers: KEYS };
  const gateway = await startGatewayHere({
    mcp: { servers: { far }, maxMessageBytes: LIMIT, connectTimeoutMs: 2000 },
  });
  open.push(gateway);
  return gateway;
}

async function clientOf({ url }: GatewayHere): Promise<McpTestClient> {
  const client = await connectSdkV2({ url: `${url}/mcp` });
  open.push(client);
  return client;
}

const JSON_TYPE = { 'content-type': 'application/json' };
const ZEROS = Buffer.alloc(100_000_000, '0');
const answerTo = ({ id }: RemoteRequest, text: string): string =>
  JSON.stringify({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text }] } });

describe('answers of MCP servers without measure', () => {
  test.each([
    // The server that sends it is in this process too, and has all of it in its hands.
    ['plain', {}, ZEROS.subarray(0, 20_000_000)],
    ['gzip', { 'content-encoding': 'gzip' }, gzipSync(ZEROS)],
    ['deflate', { 'content-encoding': 'deflate' }, deflateSync(ZEROS)],
    [
      'br',
      { 'content-encoding': 'br' },
      brotliCompressSync(ZEROS, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
    ],
  ])('are broken off at the limit, and the next call is answered: %s', async (_, how, body) => {
    let isBad = true;
    const far = await server((asked) => {
      if (asked.method !== 'tools/call') return undefined;
      if (isBad) return { headers: { ...JSON_TYPE, ...how }, body };
      return { headers: JSON_TYPE, body: answerTo(asked, 'well again') };
    });
    const gateway = await gatewayTo(far.url);
    const client = await clientOf(gateway);
    await client.listTools();
    const before = process.memoryUsage.rss();
    const said = await client.callTool('look_far');
    expect(said.isError).toBe(true);
    expect(textOf(said)).toContain(TOO_LONG);
    expect(process.memoryUsage.rss() - before).toBeLessThan(60_000_000);
    isBad = false;
    expect(textOf(await client.callTool('look_far'))).toBe('well again');
  });

  test.each(['application/json', 'text/event-stream'])(
    'are broken off at too many JSON values: %s',
    async (type) => {
      const many = `{"content":[],"structuredContent":{"a":[${'{},'.repeat(20_000)}{}]}}`;
      const far = await server((asked) => {
        if (asked.method !== 'tools/call') return undefined;
        const message = `{"jsonrpc":"2.0","id":${JSON.stringify(asked.id)},"result":${many}}`;
        const isStream = type === 'text/event-stream';
        return {
          headers: { 'content-type': type },
          body: isStream ? `data: ${message}\n\n` : message,
        };
      });
      const client = await clientOf(await gatewayTo(far.url));
      expect(textOf(await client.callTool('look_far'))).toContain(TOO_LONG);
    },
  );

  test('are broken off in a stream of events too', async () => {
    const far = await server((asked) =>
      asked.method === 'tools/call'
        ? {
            headers: { 'content-type': 'text/event-stream' },
            body: `id: 1\ndata: \n\ndata: ${answerTo(asked, 'x'.repeat(LIMIT))}\n\n`,
          }
        : undefined,
    );
    const client = await clientOf(await gatewayTo(far.url));
    const startedAt = performance.now();
    expect(textOf(await client.callTool('look_far'))).toContain(TOO_LONG);
    expect(performance.now() - startedAt).toBeLessThan(1000);
  });

  test('of the length of the limit are passed on', async () => {
    const far = await server((asked) =>
      asked.method === 'tools/call'
        ? {
            headers: { ...JSON_TYPE, 'content-encoding': 'gzip' },
            body: gzipSync(answerTo(asked, 'x'.repeat(LIMIT - 200))),
          }
        : undefined,
    );
    const client = await clientOf(await gatewayTo(far.url));
    expect(textOf(await client.callTool('look_far'))).toHaveLength(LIMIT - 200);
  });
});

describe('redirects of MCP servers', () => {
  test.each([301, 302, 303, 307, 308])(
    'to another host are not followed, and no key gets there: %i',
    async (status) => {
      const thief = await server(() => undefined);
      const far = await server(() => ({
        status,
        headers: { location: `${thief.origin}/v1` },
        body: '',
      }));
      const gateway = await gatewayTo(far.url);
      const client = await clientOf(gateway);
      await until(() => gateway.log.entries.some(({ message }) => message === 'could not connect'));
      expect(await client.listTools()).toEqual([]);
      expect(far.requests.length).toBeGreaterThan(0);
      expect(thief.requests).toEqual([]);
      const told = JSON.stringify(gateway.log.entries);
      expect(told).toContain(`Redirect to ${thief.origin}/v1 not followed`);
      expect(told).not.toContain('CANARY');
    },
  );

  test('in the middle of a session are not followed either', async () => {
    const thief = await server(() => undefined);
    const far = await server(({ method }) =>
      method === 'tools/call'
        ? { status: 307, headers: { location: `${thief.origin}/v1` }, body: '' }
        : undefined,
    );
    const client = await clientOf(await gatewayTo(far.url));
    const said = await client.callTool('look_far');
    expect(said.isError).toBe(true);
    expect(JSON.stringify(said)).not.toContain('CANARY');
    expect(thief.requests).toEqual([]);
    expect(far.requests.at(-1)?.headers['x-api-key']).toBe(KEY);
  });

  test('of the older transport, by the address it names for messages, are refused', async () => {
    const thief = await server(() => undefined);
    const far = await startScriptedUpstream({
      headers: { 'content-type': 'text/event-stream' },
      body: `event: endpoint\ndata: ${thief.url}\n\n`,
      then: 'stall',
    });
    open.push(far);
    const gateway = await gatewayTo(far.url, 'sse');
    await until(() => gateway.log.entries.some(({ message }) => message === 'could not connect'));
    expect(far.requests[0]?.headers['x-api-key']).toBe(KEY);
    expect(thief.requests).toEqual([]);
    expect(JSON.stringify(gateway.log.entries)).toContain('Endpoint origin does not match');
  });
});

describe('the older transport', () => {
  test('ends where a message is too long, and says so', async () => {
    const far = await startScriptedUpstream({
      headers: { 'content-type': 'text/event-stream' },
      body: `event: endpoint\ndata: /v1/messages\n\ndata: ${'x'.repeat(LIMIT)}`,
      then: 'stall',
    });
    open.push(far);
    const gateway = await gatewayTo(far.url, 'sse');
    const lost = `sent a message longer than ${LIMIT} bytes`;
    await until(() => JSON.stringify(gateway.log.entries).includes(lost));
  });
});
