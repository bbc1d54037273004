import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ManualClock } from '@holdfast/core/testing';
import { beginEventStream } from './begin-event-stream.ts';
import { startHttpServer } from './http-server.ts';
import { memoryLogger } from '../log/memory-logger.case.ts';
import {
  connectTo,
  lines,
  parseAnswer,
  rawRequest,
  readAll,
  readUntil,
} from './raw-request.case.ts';
import { RequestError } from './request-error.ts';
import { runningServer } from './running-server.case.ts';
import { sendJson } from './send-json.ts';
import { mostWaiting, waitingAt } from './waiting-connections.case.ts';

const LIMIT = { maxBytes: 100, key: 'proxy.maxRequestBytes' };
const JSON_TYPE = { 'content-type': 'application/json' };

const post = (url: string, body: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${url}/v1/chat`, { method: 'POST', body, headers: { ...JSON_TYPE, ...headers } });

describe('a request', () => {
  test('reaches the handler of its path, with its body', async () => {
    const server = await runningServer(async ({ path, query, method, readBody, response }) => {
      sendJson(response, 200, { path, query, method, body: (await readBody(LIMIT)).toString() });
    });

    const answer = await fetch(`${server.url}/v1/chat?beta=true`, {
      method: 'POST',
      body: '{"ä":1}',
      headers: JSON_TYPE,
    });

    expect(await answer.json()).toEqual({
      path: '/v1/chat',
      query: '?beta=true',
      method: 'POST',
      body: '{"ä":1}',
    });
  });

  test('keeps a safe id and is given one in place of an unsafe one', async () => {
    const server = await runningServer(undefined, { nextId: () => 'made' });

    const kept = await post(server.url, '{}', { 'x-request-id': 'abc-1.2' });
    const replaced = await post(server.url, '{}', { 'x-request-id': '../../etc' });

    expect(kept.headers.get('x-request-id')).toBe('abc-1.2');
    expect(replaced.headers.get('x-request-id')).toBe('made');
    expect(server.log.entries.map(({ fields }) => fields['requestId'])).toContain('abc-1.2');
  });

  test('on an unknown path gets 404 as both client families read it', async () => {
    const server = await runningServer(undefined, { nextId: () => 'made' });

    const answer = await fetch(`${server.url}/nothing`);

    expect(answer.status).toBe(404);
    expect(await answer.json()).toEqual({
      type: 'error',
      error: {
        type: 'not_found_error',
        message: 'there is no /nothing here',
        param: null,
        code: 'not_found',
      },
      request_id: 'made',
    });
  });

  test('with the wrong method gets 405 and hears the right one', async () => {
    const server = await runningServer();

    const answer = await fetch(`${server.url}/v1/chat`);

    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe('POST');
  });

  test('HEAD / is answered without a token', async () => {
    const server = await runningServer(undefined, { token: 'the-token' });

    const answer = await fetch(server.url, { method: 'HEAD' });

    expect(answer.status).toBe(200);
  });

  test('is answered with the error its handler throws', async () => {
    const server = await runningServer(() => {
      throw new RequestError(429, 'rate-limited', 'slow down', { headers: { 'retry-after': '3' } });
    });

    const answer = await post(server.url, '{}');

    expect(answer.status).toBe(429);
    expect(answer.headers.get('retry-after')).toBe('3');
    expect(await answer.json()).toMatchObject({ error: { type: 'rate_limit_error' } });
  });

  test('learns nothing of what broke in the gateway; the log does', async () => {
    const server = await runningServer(() => Promise.reject(new Error('ENOENT /home/someone')));

    const answer = await post(server.url, '{}');

    expect(answer.status).toBe(500);
    expect(await answer.text()).not.toContain('someone');
    expect(server.log.entries).toContainEqual(
      expect.objectContaining({ level: 'error', message: 'request failed' }),
    );
  });

  test('whose handler forgets to answer gets 500', async () => {
    const server = await runningServer(() => Promise.resolve());

    expect((await post(server.url, '{}')).status).toBe(500);
  });

  test('whose handler breaks in the middle of a stream is cut off, not ended', async () => {
    const server = await runningServer(async ({ response }) => {
      await beginEventStream(response).write('data: 1\n\n');
      await new Promise((resolve) => setImmediate(resolve));
      throw new Error('broken');
    });

    const answer = await post(server.url, '{}');

    await expect(answer.text()).rejects.toThrow();
  });

  test('is never answered with a CORS header', async () => {
    const server = await runningServer();

    for (const origin of [server.url, 'https://evil.com']) {
      const answer = await post(server.url, '{}', { origin });
      expect([...answer.headers.keys()].filter((name) => name.startsWith('access-'))).toEqual([]);
    }
  });

  test('with more headers than allowed is refused, so that none hides behind the rest', async () => {
    const server = await runningServer(undefined, { limits: { maxHeaders: 10 } });
    const junk = Array.from({ length: 20 }, (_, at) => `X-${at}: 1`);

    const answer = await rawRequest(
      server.port,
      lines('GET / HTTP/1.1', 'Host: localhost', ...junk, 'Origin: http://evil.com'),
    );

    expect(answer.status).toBe(431);
  });

  test('with headers that are too long is refused', async () => {
    const server = await runningServer();

    const answer = await rawRequest(
      server.port,
      lines('GET / HTTP/1.1', 'Host: localhost', `X-Long: ${'x'.repeat(40_000)}`),
    );

    expect(answer.status).toBe(431);
  });
});

describe('a request that must not get in', () => {
  const secretHeaders = ['Content-Type: application/json', 'Content-Length: 2'];

  test.each([
    ['Host: evil.com', 403],
    ['Host: evil.com@localhost', 400],
    ['Host: localhost/?x=', 400],
    ['Host: localhost#.evil.com', 400],
    ['Host: x/health?', 400],
    ['Host:', 400],
    ['Host: localhost\r\nHost: evil.com', 400],
    ['Host: localhost\r\nOrigin: http://evil.com', 403],
    ['Host: localhost\r\nOrigin: null', 403],
    ['Host: localhost\r\nSec-Fetch-Site: cross-site', 403],
    ['Host: localhost\r\nSec-Fetch-Site: same-site', 403],
    ['Host: localhost\r\nSec-Fetch-Site: none\r\nSec-Fetch-Site: cross-site', 403],
  ])('with %j gets %i and no handler runs', async (headers, status) => {
    let handled = 0;
    const server = await runningServer(async ({ response }) => {
      handled++;
      sendJson(response, 200, {});
    });

    const answer = await rawRequest(
      server.port,
      `${lines('POST /v1/chat HTTP/1.1', headers, ...secretHeaders)}{}`,
    );

    expect(answer.status).toBe(status);
    expect(handled).toBe(0);
  });

  test.each([
    'http://localhost/v1/chat',
    'http://evil.com/v1/chat',
    '//evil.com/v1/chat',
    '/v1/../v1/chat',
    '/v1/%2e%2E/chat',
  ])('for %s gets 400', async (target) => {
    const server = await runningServer();

    const answer = await rawRequest(
      server.port,
      lines(`POST ${target} HTTP/1.1`, 'Host: localhost'),
    );

    expect(answer.status).toBe(400);
  });

  test('as a preflight gets 403', async () => {
    const server = await runningServer();

    expect((await fetch(`${server.url}/v1/chat`, { method: 'OPTIONS' })).status).toBe(403);
  });

  test('as a WebSocket of a page gets 403', async () => {
    const server = await runningServer();

    const answer = await rawRequest(
      server.port,
      [
        'GET /v1/chat HTTP/1.1',
        'Host: localhost',
        'Origin: http://evil.com',
        'Connection: Upgrade, close',
        'Upgrade: websocket',
        'Sec-WebSocket-Version: 13',
        'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
        '',
        '',
      ].join('\r\n'),
    );

    expect(answer.status).toBe(403);
  });

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])(
    'as %s gets 415',
    async (type) => {
      const server = await runningServer();

      expect((await post(server.url, '{}', { 'content-type': type })).status).toBe(415);
    },
  );

  test('without the token gets 401 on every path, known or not', async () => {
    const server = await runningServer(undefined, { token: 'the-token' });

    for (const path of ['/v1/chat', '/nothing', '/']) {
      expect((await fetch(server.url + path)).status).toBe(401);
    }
    expect((await post(server.url, '{}', { authorization: 'Bearer the-token' })).status).toBe(200);
  });
});

describe('bodies', () => {
  test('of any type reach a route that takes any', async () => {
    const server = await runningServer(undefined, {
      routes: [
        {
          method: 'POST',
          path: '/v1/*',
          bodies: 'any',
          handle: async ({ response, readBody }) =>
            sendJson(response, 200, { bytes: (await readBody(LIMIT)).length }),
        },
      ],
    });

    const answer = await post(server.url, 'abc', { 'content-type': 'audio/wav' });

    expect(await answer.json()).toEqual({ bytes: 3 });
  });
});

describe('a client that goes away', () => {
  test('aborts the signal of its request', async () => {
    const reasons: unknown[] = [];
    const server = await runningServer(
      ({ response, signal }) =>
        new Promise((resolve) => {
          void beginEventStream(response).write('data: 1\n\n');
          signal.addEventListener('abort', () => {
            reasons.push(signal.reason);
            resolve();
          });
        }),
    );
    const socket = connectTo(server.port);
    socket.write(lines('POST /v1/chat HTTP/1.1', 'Host: localhost'));
    await readUntil(socket, 'data: 1');

    socket.destroy();
    await expect
      .poll(() => reasons)
      .toEqual([expect.objectContaining({ name: 'ClientGoneError' })]);
    await server.close();
    expect(server.log.entries.filter(({ level }) => level !== 'debug')).toEqual([]);
  });

  test('after its whole answer aborts nothing', async () => {
    let signal: AbortSignal | undefined;
    const server = await runningServer(async (exchange) => {
      signal = exchange.signal;
      sendJson(exchange.response, 200, {});
    });

    await rawRequest(server.port, lines('POST /v1/chat HTTP/1.1', 'Host: localhost'));

    expect(signal?.aborted).toBe(false);
  });
});

describe('closing', () => {
  test('lets a running stream finish, and takes nothing new', async () => {
    let finish: (() => void) | undefined;
    const server = await runningServer(
      async ({ response }) => {
        const writer = beginEventStream(response);
        await writer.write('data: 1\n\n');
        await new Promise<void>((resolve) => (finish = resolve));
        await writer.end('data: 2\n\n');
      },
      { shutdownGraceMs: 10_000 },
    );
    const socket = connectTo(server.port);
    socket.write('POST /v1/chat HTTP/1.1\r\nHost: localhost\r\n\r\n');
    const begun = await readUntil(socket, 'data: 1');
    const rest = readAll(socket);

    const closed = server.close();
    await expect(fetch(server.url)).rejects.toThrow();
    finish?.();
    await closed;

    expect(begun + (await rest)).toContain('data: 2');
  });

  test('refuses a request that was still being sent', async () => {
    let finish: (() => void) | undefined;
    const server = await runningServer(
      async ({ response }) => {
        await new Promise<void>((resolve) => (finish = resolve));
        sendJson(response, 200, {});
      },
      { shutdownGraceMs: 10_000 },
    );
    const running = post(server.url, '{}');
    const late = connectTo(server.port);
    late.write('POST /v1/chat HTTP/1.1\r\nHost: loc');
    await expect.poll(() => finish).toBeDefined();

    const closed = server.close();
    late.write('alhost\r\n\r\n');
    const answer = parseAnswer(await readAll(late));
    finish?.();
    await closed;

    expect(answer.status).toBe(503);
    expect((await running).status).toBe(200);
  });

  test('closes connections that nobody uses at once', async () => {
    const server = await runningServer(undefined, { shutdownGraceMs: 60_000 });
    const idle = connectTo(server.port);
    idle.write('HEAD / HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await readUntil(idle, '200 OK');
    const silent = connectTo(server.port);
    await new Promise((resolve) => silent.once('connect', resolve));

    await Promise.all([server.close(), readAll(idle), readAll(silent)]);

    expect(server.log.entries).toHaveLength(1);
  });

  test('aborts what runs past the grace time, with a reason for the client', async () => {
    const clock = new ManualClock();
    const server = await runningServer(
      async ({ response, signal }) => {
        const writer = beginEventStream(response);
        await writer.write('data: 1\n\n');
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        const reason: unknown = signal.reason;
        await writer.end(
          `event: error ${reason instanceof RequestError ? reason.message : ''}\n\n`,
        );
      },
      { clock, shutdownGraceMs: 30_000 },
    );
    const socket = connectTo(server.port);
    socket.write('POST /v1/chat HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await readUntil(socket, 'data: 1');
    const rest = readAll(socket);

    const closed = server.close();
    await clock.advance(30_000);
    await closed;

    expect(await rest).toContain('event: error the gateway is shutting down');
  });

  test('cuts off what does not end by then', async () => {
    const clock = new ManualClock();
    const server = await runningServer(
      async ({ response }) => {
        await beginEventStream(response).write('data: 1\n\n');
        await new Promise((resolve) => response.on('close', resolve));
      },
      { clock, shutdownGraceMs: 30_000 },
    );
    const socket = connectTo(server.port);
    socket.write('POST /v1/chat HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await readUntil(socket, 'data: 1');
    const rest = readAll(socket);

    const closed = server.close();
    await clock.advance(30_000);
    await clock.advance(500);
    await closed;

    expect(await rest).not.toContain('0\r\n\r\n');
  });
});

const CROWD = 1500;

describe.skipIf(mostWaiting() < CROWD)('clients that come at once', () => {
  test('are all kept waiting, and none is turned away, while the process is busy', async () => {
    const server = await runningServer();
    const sockets = Array.from({ length: CROWD }, () => connectTo(server.port));
    onTestFinished(() => sockets.forEach((socket) => socket.destroy()));
    // They connect before anything else is done: the server has taken none of them yet.
    await new Promise<void>((resolve) => process.nextTick(resolve));
    expect(waitingAt(server.port)).toBe(CROWD);
  });
});

describe('connections from which no request was let in', () => {
  const AUTHORIZED = 'Authorization: Bearer the-token';
  const get = (...headers: string[]): string =>
    ['GET /nothing HTTP/1.1', 'Host: localhost', ...headers, '', ''].join('\r\n');

  async function scene(): Promise<{
    clock: ManualClock;
    connect: (count: number) => Socket[];
    open: () => number;
    one: (text: string) => Promise<Socket>;
  }> {
    const clock = new ManualClock();
    const limits = { maxUnknownConnections: 10 };
    const server = await runningServer(undefined, { token: 'the-token', clock, limits });
    const sockets = new Set<Socket>();
    const connectOne = (): Socket => {
      const socket = connect(server.port, '127.0.0.1').resume();
      sockets.add(socket);
      socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
      onTestFinished(() => void socket.destroy());
      return socket;
    };
    return {
      clock,
      connect: (count) => Array.from({ length: count }, connectOne),
      open: () => sockets.size,
      one: async (text) => {
        const socket = connectOne();
        socket.write(text);
        await once(socket, 'data');
        return socket;
      },
    };
  }

  test('are closed but for the newest', async () => {
    const { clock, connect, open, one } = await scene();
    const authorized = await one(get(AUTHORIZED));
    const refused = await one(get());
    await once(refused, 'close');
    const idle = connect(30);
    // Connections are taken in order.
    await one(get(AUTHORIZED));
    await clock.advance(1000);
    expect(open()).toBe(32);
    await clock.advance(1000);
    await expect.poll(open).toBe(12);

    expect([authorized.destroyed, idle[0]!.destroyed]).toEqual([false, true]);
    expect(idle.slice(-10).some((socket) => socket.destroyed)).toBe(false);
    authorized.write(get(AUTHORIZED));
    await once(authorized, 'data');
  });

  test('are left alone where there are few, or when they ask in time', async () => {
    const { clock, connect, open, one } = await scene();
    const idle = connect(30);
    // Connections are taken in order.
    await one(get(AUTHORIZED));
    await clock.advance(1000);
    await Promise.all(
      idle.slice(0, 20).map((socket) => {
        socket.write(get(AUTHORIZED));
        return once(socket, 'data');
      }),
    );
    await clock.advance(10_000);
    await new Promise((resolve) => setImmediate(resolve));
    expect(open()).toBe(31);
  });
});

describe('starting', () => {
  const options = { routes: [], log: memoryLogger(), shutdownGraceMs: 0 };

  test('on an address that others can reach needs a token', async () => {
    await expect(startHttpServer({ ...options, host: '0.0.0.0', port: 0 })).rejects.toThrow(
      'Set a token, or listen on 127.0.0.1.',
    );
  });

  test('on a port in use says so', async () => {
    const server = await runningServer();

    await expect(
      startHttpServer({ ...options, host: '127.0.0.1', port: server.port }),
    ).rejects.toThrow(`cannot listen on 127.0.0.1:${server.port}: the port is in use`);
  });

  test('tells a URL that this machine can use', async () => {
    const server = await runningServer(undefined, { host: '0.0.0.0', token: 'the-token' });

    expect(server.url).toBe(`http://127.0.0.1:${server.port}`);
    expect((await fetch(server.url, { method: 'HEAD' })).status).toBe(200);
  });
});
