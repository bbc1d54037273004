import { ManualClock } from '@holdfast/core/testing';
import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { describe, expect, test } from 'vitest';
import { runningServer } from '../../http/running-server.case.ts';
import { SessionTransport } from './session-transport.ts';

const VERSIONS = ['2025-11-25', '2025-06-18'];
const BOTH = 'application/json, text/event-stream';

interface Session {
  readonly transport: SessionTransport;
  readonly clock: ManualClock;
  /** What the client has sent. */
  readonly heard: JSONRPCMessage[];
  readonly post: (body: unknown, headers?: Record<string, string>) => Promise<Response>;
  readonly get: (headers?: Record<string, string>) => Promise<Response>;
}

/** A session of which the test is the server. */
async function session(): Promise<Session> {
  const clock = new ManualClock();
  const transport = new SessionTransport('s1', clock);
  const heard: JSONRPCMessage[] = [];
  transport.onmessage = (message) => void heard.push(message);
  transport.setSupportedProtocolVersions(VERSIONS);
  const { url } = await runningServer(undefined, {
    routes: [
      {
        method: '*',
        path: '/mcp',
        handle: async (exchange) => {
          const body =
            exchange.method === 'POST'
              ? await exchange.readBody({ maxBytes: 10_000, key: 'a key' })
              : undefined;
          await transport.answer(exchange, body && JSON.parse(body.toString()));
        },
      },
    ],
  });
  const send = (method: string, headers = {}, body?: string): Promise<Response> =>
    fetch(`${url}/mcp`, {
      method,
      headers: {
        accept: BOTH,
        'content-type': 'application/json',
        'mcp-protocol-version': '2025-11-25',
        ...headers,
      },
      ...(body !== undefined && { body }),
    });
  return {
    transport,
    clock,
    heard,
    post: (body, headers) => send('POST', headers, JSON.stringify(body)),
    get: (headers) => send('GET', headers),
  };
}

const call = (id: number): object => ({ jsonrpc: '2.0', id, method: 'tools/call', params: {} });
const result = (id: number): JSONRPCMessage => ({ jsonrpc: '2.0', id, result: { n: id } });
const progress: JSONRPCMessage = { jsonrpc: '2.0', method: 'notifications/progress', params: {} };

async function heardOf({ heard }: Session, count: number): Promise<void> {
  await expect.poll(() => heard.length).toBe(count);
}

/** Reads a stream of events until there are so many. */
async function events(response: Response, count: number): Promise<readonly string[]> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  while (text.split('\n\n').length <= count) {
    const read = await reader?.read();
    if (read?.value === undefined) break;
    text += read.value;
  }
  await reader?.cancel();
  return text.split('\n\n').slice(0, count);
}

describe('a request in a session', () => {
  test('of a client that could not come back is answered with JSON where its result is all', async () => {
    const open = await session();
    const posted = open.post(call(1), { 'mcp-protocol-version': '2025-06-18' });
    await heardOf(open, 1);
    await open.transport.send(result(1));
    const response = await posted;
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(response.headers.get('mcp-session-id')).toBe('s1');
    expect(await response.json()).toEqual(result(1));
  });

  test('can be asked for again where the client knows how', async () => {
    const open = await session();
    const posted = open.post(call(1));
    await heardOf(open, 1);
    await open.transport.send(result(1));
    const text = await (await posted).text();
    expect(text).toMatch(/^id: 1\nretry: 1000\ndata: \n\nevent: message\nid: 2\n/);
    const again = await (await open.get({ 'last-event-id': '1' })).text();
    expect(again).toContain(JSON.stringify(result(1)));
  });

  test('is answered with events where something comes before the result', async () => {
    const open = await session();
    const posted = open.post(call(1));
    await heardOf(open, 1);
    await open.transport.send(progress, { relatedRequestId: 1 });
    await open.transport.send(result(1));
    const response = await posted;
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    expect(await response.text()).toBe(
      [
        'id: 1\nretry: 1000\ndata: ',
        `event: message\nid: 2\ndata: ${JSON.stringify(progress)}`,
        `event: message\nid: 3\ndata: ${JSON.stringify(result(1))}`,
        '',
      ].join('\n\n'),
    );
  });

  test('hears after a second that it is at work, and then again and again', async () => {
    const open = await session();
    const posted = open.post(call(1));
    await heardOf(open, 1);
    await open.clock.advance(1000);
    const response = await posted;
    await open.clock.advance(15_000);
    await open.clock.advance(15_000);
    await open.transport.send(result(1));
    const text = await response.text();
    expect(text.match(/^: still here$/gm)).toHaveLength(2);
    expect(text).toContain(JSON.stringify(result(1)));
  });

  test('of a client that knows no empty events gets none', async () => {
    const open = await session();
    const posted = open.post(call(1), { 'mcp-protocol-version': '2025-06-18' });
    await heardOf(open, 1);
    await open.clock.advance(1000);
    await posted;
    await open.transport.send(result(1));
    expect(await (await posted).text()).toMatch(/^event: message\nid: 1\n/);
  });

  test('goes on where its stream broke', async () => {
    const open = await session();
    const posted = open.post(call(1));
    await heardOf(open, 1);
    await open.transport.send(progress, { relatedRequestId: 1 });
    const [first, second] = await events(await posted, 2);
    expect(first).toContain('id: 1');
    expect(second).toContain('id: 2');
    await open.transport.send(progress, { relatedRequestId: 1 });
    const resumed = await untilFree(open, '1');
    await open.transport.send(result(1));
    const text = await resumed.text();
    expect(text.match(/notifications\/progress/g)).toHaveLength(2);
    expect(text).toContain(JSON.stringify(result(1)));
    // All of it is over now: what is asked for again ends at once.
    const again = await (await open.get({ 'last-event-id': '3' })).text();
    expect(again).toContain(JSON.stringify(result(1)));
    expect(again).not.toContain('progress');
  });

  test('in a batch is answered with the others in one stream', async () => {
    const open = await session();
    const posted = open.post([call(1), progress, call(2)]);
    await heardOf(open, 3);
    await open.transport.send(result(2));
    await open.transport.send(result(1));
    const text = await (await posted).text();
    expect(text.indexOf(JSON.stringify(result(2)))).toBeLessThan(
      text.indexOf(JSON.stringify(result(1))),
    );
  });

  test('keeps its id to itself while it runs', async () => {
    const open = await session();
    const posted = open.post(call(1));
    await heardOf(open, 1);
    const second = await open.post(call(1));
    expect(second.status).toBe(400);
    expect(await second.text()).toContain('another request with the id 1 runs');
    await open.transport.send(result(1));
    expect((await posted).status).toBe(200);
    const third = open.post(call(1));
    await heardOf(open, 2);
    await open.transport.send(result(1));
    expect((await third).status).toBe(200);
  });

  test('ends when it is taken back', async () => {
    const open = await session();
    const posted = open.post(call(1));
    await heardOf(open, 1);
    const params = { requestId: 1 };
    await open.post({ jsonrpc: '2.0', method: 'notifications/cancelled', params });
    expect(await (await posted).text()).not.toContain('result');
    const again = open.post(call(1));
    await heardOf(open, 3);
    await open.transport.send(result(1));
    expect(await (await again).text()).toContain(JSON.stringify(result(1)));
  });

  test('ends with the session', async () => {
    const open = await session();
    const posted = open.post(call(1));
    const news = await open.get();
    await heardOf(open, 1);
    await open.transport.close();
    expect(await (await posted).text()).not.toContain('result');
    expect(await news.text()).toBe('');
    await expect(open.transport.send(result(1))).rejects.toThrow('Nobody waits');
  });
});

/** Resumes once the gateway has seen that the stream broke. */
async function untilFree({ get }: Session, last: string): Promise<Response> {
  for (;;) {
    const response = await get({ 'last-event-id': last });
    if (response.status !== 409) return response;
    await response.text();
  }
}

describe('the stream of news', () => {
  test('brings what belongs to no request, and there is one', async () => {
    const open = await session();
    const news = await open.get();
    const second = await open.get();
    expect(second.status).toBe(409);
    await open.transport.send(progress);
    const [first] = await events(news, 1);
    expect(first).toContain(JSON.stringify(progress));
    await open.transport.send(progress);
    const resumed = await untilFree(open, '1');
    const [missed] = await events(resumed, 1);
    expect(missed).toContain('id: 2');
  });
});

describe('a session refuses', () => {
  const INITIALIZE = { jsonrpc: '2.0', id: 1, method: 'initialize', params: {} };

  test.each<[string, unknown, Record<string, string>, number, string]>([
    ['a client that takes no events', call(1), { accept: 'application/json' }, 406, 'must accept'],
    ['a client that takes no JSON', call(1), { accept: 'text/event-stream' }, 406, 'must accept'],
    ['another revision', call(1), { 'mcp-protocol-version': '1999-01-01' }, 400, '1999-01-01'],
    ['what is no message', { id: 1 }, {}, 400, 'Invalid JSON-RPC message'],
    ['no messages', [], {}, 400, 'Invalid JSON-RPC message'],
    ['too many messages', Array.from({ length: 101 }, () => progress), {}, 400, '100 messages'],
    ['two requests of one id', [call(1), call(1)], {}, 400, 'the same id'],
    ['a handshake among others', [INITIALIZE, call(2)], {}, 400, 'Only one initialization'],
  ])('%s', async (_, body, headers, status, why) => {
    const open = await session();
    const response = await open.post(body, headers);
    expect(response.status).toBe(status);
    expect(await response.text()).toContain(why);
    expect(open.heard).toEqual([]);
  });

  test('a second handshake, and takes any version in the first', async () => {
    const open = await session();
    const begun = open.post(INITIALIZE, { 'mcp-protocol-version': '2031-01-01' });
    await heardOf(open, 1);
    expect(open.transport.isBegun).toBe(true);
    await open.transport.send(result(1));
    expect((await begun).status).toBe(200);
    const again = await open.post(INITIALIZE);
    expect(again.status).toBe(400);
    expect(await again.text()).toContain('already initialized');
  });

  test('a GET that takes no events, and events it never had', async () => {
    const open = await session();
    expect((await open.get({ accept: 'application/json' })).status).toBe(406);
    expect((await open.get({ 'last-event-id': '7' })).status).toBe(400);
  });

  test('nothing of what is only told', async () => {
    const open = await session();
    const told = await open.post(progress);
    expect(told.status).toBe(202);
    expect(open.heard).toEqual([progress]);
  });
});
