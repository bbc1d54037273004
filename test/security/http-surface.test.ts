import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Route } from '../../packages/gateway/src/http/http-exchange.ts';
import { startHttpServer } from '../../packages/gateway/src/http/http-server.ts';
import {
  connectTo,
  lines,
  rawRequest,
  readAll,
  readUntil,
} from '../../packages/gateway/src/http/raw-request.case.ts';
import { chatBodyOf } from '../support/chat-stream-of.ts';
import { startGatewayHere } from '../support/gateway-here.ts';
import type { GatewayHere } from '../support/gateway-here.ts';
import { root } from '../support/repository.ts';
import { startScriptedUpstream } from '../support/scripted-upstream.ts';
import type { ScriptedUpstream } from '../support/scripted-upstream.ts';

const TOKEN = 'CANARY-token-of-the-gateway';
const JSON_TYPE = 'Content-Type: application/json';

let upstream: ScriptedUpstream;
let open: GatewayHere;
let closed: GatewayHere;
let routes: readonly Route[] = [];

beforeAll(async () => {
  upstream = await startScriptedUpstream(() => ({ body: chatBodyOf('Hello.') }));
  const file = {
    upstreams: [{ name: 'one', url: upstream.url, apiKey: 'CANARY-key-of-the-upstream' }],
    mcp: {
      servers: {
        moody: {
          command: process.execPath,
          args: [join(root, 'test/support/moody-server.mjs'), 'look'],
        },
      },
    },
  };
  open = await startGatewayHere(file);
  closed = await startGatewayHere(
    { ...file, token: TOKEN },
    {
      open: (door) => {
        routes = door.routes;
        return startHttpServer(door);
      },
    },
  );
}, 30_000);

afterAll(async () => {
  await Promise.all([open.close(), closed.close(), upstream.close()]);
}, 30_000);

const portOf = ({ url }: { readonly url: string }): number => Number(new URL(url).port);

/** A path that each route answers, with a method it takes. */
function places(): readonly { readonly method: string; readonly path: string; isOpen: boolean }[] {
  return routes.map(({ method, path, isOpen = false }) => ({
    method: method === '*' ? 'POST' : method,
    path: path.replace(/\/\*$/, '/x'),
    isOpen,
  }));
}

function ask(
  gateway: GatewayHere,
  { method, path }: { readonly method: string; readonly path: string },
  ...headers: readonly string[]
) {
  const hasBody = method === 'POST';
  const about = hasBody ? [JSON_TYPE, 'Content-Length: 2'] : [];
  const text = lines(`${method} ${path} HTTP/1.1`, ...headers, ...about);
  return rawRequest(portOf(gateway), hasBody ? `${text}{}` : text);
}

describe('DNS rebinding', () => {
  test.each([
    ['evil.com', 403],
    ['localhost.evil.com', 403],
    ['127.0.0.1.evil.com', 403],
    ['evil.com@localhost', 400],
    ['localhost/?x=', 400],
    ['localhost#.evil.com', 400],
    ['2130706433', 400],
    ['0x7f.1', 400],
    ['[::1].evil.com', 400],
  ])('the host %s gets %i on every route, and nobody behind us is asked', async (host, status) => {
    const before = upstream.requests.length;
    expect(places().length).toBeGreaterThan(20);
    for (const place of places()) {
      const answer = await ask(open, place, `Host: ${host}`);
      expect(answer.status, `${place.method} ${place.path}`).toBe(status);
    }
    expect(upstream.requests).toHaveLength(before);
  });
});

describe('host header that looks like a path', () => {
  test.each(['x/healthz?', 'localhost/healthz?', 'localhost:80/healthz#', '/healthz'])(
    'opens no protected route: %j',
    async (host) => {
      for (const place of places()) {
        const { status } = await ask(closed, place, `Host: ${host}`);
        expect([400, 401, 403], `${place.method} ${place.path}`).toContain(status);
      }
    },
  );

  test('a route needs the token, unless it says that it does not', async () => {
    const without: string[] = [];
    for (const place of places()) {
      const { status } = await ask(closed, place, 'Host: localhost');
      if (status !== 401) without.push(`${place.method} ${place.path}`);
      expect(status === 401, `${place.method} ${place.path}`).toBe(!place.isOpen);
    }
    expect(without).toEqual(['GET /', 'GET /assets/x', 'GET /healthz', 'GET /readyz']);
  });
});

describe('clients without the token', () => {
  const refused = [
    ['whole', 'Content-Length: 2', '{}'],
    ['without its body', 'Content-Length: 2', ''],
    ['with half of a large body', 'Content-Length: 100000', '{'],
    ['in chunks that do not end', 'Transfer-Encoding: chunked', '1\r\n{\r\n'],
  ] as const;

  test('lose their connection at once, whatever they sent', async () => {
    const startedAt = performance.now();
    const answers = refused.map(([, length, body]) => {
      const socket = connectTo(portOf(closed));
      const head = ['POST /v1/chat/completions HTTP/1.1', 'Host: localhost', JSON_TYPE, length];
      socket.write([...head, '', body].join('\r\n'));
      return readAll(socket);
    });
    for (const [at, answer] of (await Promise.all(answers)).entries())
      expect(answer, refused[at]?.[0]).toMatch(/^HTTP\/1\.1 401 [\s\S]*\r\nconnection: close\r\n/i);
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  });

  test('lose it too where they are refused before the token and send no body', async () => {
    const answers = ['Host: evil.com', 'Host: localhost\r\nOrigin: https://evil.com'].map((who) => {
      const socket = connectTo(portOf(closed));
      const head = ['POST /v1/chat/completions HTTP/1.1', who, JSON_TYPE, 'Content-Length: 2'];
      socket.write([...head, '', ''].join('\r\n'));
      return readAll(socket);
    });

    for (const answer of await Promise.all(answers)) expect(answer).toMatch(/^HTTP\/1\.1 403 /);
  });

  test.each(['/healthz', '/readyz'])(
    'see at %s that the gateway is there, and no more',
    async (path) => {
      const answer = await fetch(closed.url + path);

      expect(answer.status).toBe(200);
      expect(await answer.text()).toBe('{"status":"ok"}');
    },
  );
});

describe('web pages that spend the keys of the gateway', () => {
  test.each([
    ['another origin', ['Origin: https://evil.com'], 403],
    ['no origin at all', ['Origin: null'], 403],
    ['another port of this machine', ['Origin: http://localhost:3000'], 403],
    ['a form, by what the browser says of it', ['Sec-Fetch-Site: cross-site'], 403],
    ['another site below the same name', ['Sec-Fetch-Site: same-site'], 403],
  ])('%s gets in nowhere', async (_, headers, status) => {
    const before = upstream.requests.length;
    for (const place of places()) {
      const answer = await ask(open, place, 'Host: localhost', ...headers);
      expect(answer.status, `${place.method} ${place.path}`).toBe(status);
      const cors = Object.keys(answer.headers).filter((name) => name.startsWith('access-control'));
      expect(cors).toEqual([]);
    }
    expect(upstream.requests).toHaveLength(before);
  });

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])(
    'what a page may send without asking is no request for a turn: %s',
    async (type) => {
      const before = upstream.requests.length;
      const headers = ['Host: localhost', `Content-Type: ${type}`, 'Content-Length: 2'];
      for (const path of [
        '/v1/chat/completions',
        '/v1/messages',
        '/v1/responses',
        '/api/v1/parse',
      ]) {
        const text = lines(`POST ${path} HTTP/1.1`, ...headers);
        expect((await rawRequest(portOf(open), `${text}{}`)).status, path).toBe(415);
      }
      expect(upstream.requests).toHaveLength(before);
    },
  );

  test('a preflight and a WebSocket are refused', async () => {
    const origin = ['Host: localhost', 'Origin: https://evil.com'];
    const asked = ['Access-Control-Request-Method: POST'];
    const preflight = lines('OPTIONS /v1/chat/completions HTTP/1.1', ...origin, ...asked);
    const upgrade = lines('GET /mcp HTTP/1.1', ...origin, 'Upgrade: websocket');
    for (const text of [preflight, upgrade]) {
      expect((await rawRequest(portOf(open), text)).status).toBe(403);
    }
  });
});

describe('requests that two servers would read differently', () => {
  const turn = '{"model":"m","messages":[{"role":"user","content":"Hi"}]}';
  const CHUNKED = `${turn.length.toString(16)}\r\n${turn}\r\n0\r\n\r\n`;

  test.each([
    ['a length and chunks', ['Content-Length: 2', 'Transfer-Encoding: chunked'], '{}'],
    ['two lengths', ['Content-Length: 2', 'Content-Length: 40'], '{}'],
    ['a length that is no number', ['Content-Length: +2'], '{}'],
    ['an encoding that is none', ['Transfer-Encoding: xchunked'], '{}'],
    ['chunks of what is compressed', ['Transfer-Encoding: gzip, chunked'], CHUNKED],
    ['two encodings', ['Transfer-Encoding: identity', 'Transfer-Encoding: chunked'], CHUNKED],
    ['chunks and a header that is none', ['Transfer-Encoding: chunked', 'Foo'], CHUNKED],
    ['a header on two lines', ['X-A: 1', ' Origin: x', 'Content-Length: 2'], '{}'],
    ['space before a colon', ['Content-Length : 2'], '{}'],
    ['chunks of a wrong size', ['Transfer-Encoding: chunked'], 'zz\r\n{}\r\n0\r\n\r\n'],
  ])('are refused and reach nobody: %s', async (_, headers, body) => {
    const before = upstream.requests.length;
    const text = lines(
      'POST /v1/chat/completions HTTP/1.1',
      'Host: localhost',
      JSON_TYPE,
      ...headers,
    );
    const { status } = await rawRequest(portOf(open), text + body);
    expect(status).toBe(400);
    expect(upstream.requests).toHaveLength(before);
  });
});

describe('headers without measure', () => {
  test('too many or too long are refused, and the next client is served', async () => {
    const many = Array.from({ length: 300 }, (_, at) => `X-${at}: 1`);
    const request = ['GET /healthz HTTP/1.1', 'Host: localhost'];
    const port = portOf(open);
    expect((await rawRequest(port, lines(...request, ...many))).status).toBe(431);
    expect((await rawRequest(port, lines(...request, `X: ${'x'.repeat(40_000)}`))).status).toBe(
      431,
    );
    expect((await rawRequest(port, lines(`GET /${'x'.repeat(40_000)} HTTP/1.1`))).status).toBe(431);
    expect((await fetch(`${open.url}/healthz`)).status).toBe(200);
  });
});

describe('clients that send slowly', () => {
  test('are cut off, and cost nobody else anything', async () => {
    const server = await startHttpServer({
      host: '127.0.0.1',
      port: 0,
      routes: [
        { method: 'GET', path: '/', handle: async ({ response }) => void response.end('ok') },
        {
          method: 'POST',
          path: '/',
          handle: async ({ response, readBody }) =>
            void response.end(await readBody({ maxBytes: 100, key: 'a key' })),
        },
      ],
      log: open.log,
      shutdownGraceMs: 50,
      limits: { headersTimeoutMs: 300, requestTimeoutMs: 600 },
    });
    try {
      const begun = [
        'GET / HTTP/1.1\r\nHost: local',
        lines('POST / HTTP/1.1', 'Host: localhost', JSON_TYPE, 'Content-Length: 90'),
      ];
      const startedAt = performance.now();
      const slow = Array.from({ length: 200 }, (_, at) => {
        const socket = connectTo(server.port);
        socket.write(begun[at % 2]!);
        return readAll(socket);
      });
      expect((await fetch(server.url)).status).toBe(200);
      const answers = await Promise.all(slow);
      expect(performance.now() - startedAt).toBeLessThan(5_000);
      for (const answer of answers)
        expect(answer.startsWith('HTTP/1.1 408') || answer === '').toBe(true);
      expect((await fetch(server.url)).status).toBe(200);
    } finally {
      await server.close();
    }
  });
});

describe('bodies that grow', () => {
  const post = (
    path: string,
    body: Uint8Array<ArrayBuffer>,
    headers: Record<string, string> = {},
  ) =>
    fetch(open.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    });

  test.each(['gzip', 'br', 'deflate', 'zstd', 'gzip, identity'])(
    'compressed as %s are not read',
    async (encoding) => {
      const bomb = new Uint8Array(gzipSync(Buffer.alloc(10_000_000, ' ')));
      for (const path of ['/v1/chat/completions', '/v1/messages', '/api/v1/parse', '/mcp']) {
        const answer = await post(path, bomb, { 'content-encoding': encoding });
        expect(answer.status, path).toBe(415);
      }
    },
  );

  test.each(['/v1/chat/completions', '/v1/messages', '/v1/responses', '/mcp', '/v1/files'])(
    'beyond the limit are refused by their length, before a byte is read: %s',
    async (path) => {
      const head = ['Host: localhost', JSON_TYPE, 'Content-Length: 9999999999'];
      const socket = connectTo(portOf(open));
      socket.write(lines(`POST ${path} HTTP/1.1`, ...head));
      expect(await readUntil(socket, '\r\n\r\n')).toContain('HTTP/1.1 413');
      socket.destroy();
    },
  );
});

describe('deep nesting in requests', () => {
  const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
  const bodies = (levels: number): readonly string[] => [
    nested(levels),
    `{"model":"m","messages":${nested(levels)}}`,
    `{"model":"m","messages":[{"role":"user","content":${nested(levels)}}],"max_tokens":5}`,
    `{"model":"m","input":${nested(levels)}}`,
    `{"model":"m","messages":[],"max_tokens":5,"tools":[{"type":"function","function":{"name":"a","parameters":{"a":${nested(levels)}}}}]}`,
    `{"text":"x","tools":${nested(levels)}}`,
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"look","arguments":{"a":${nested(levels)}}}}`,
    `{"request_id":"1","name":"a","args":{"a":${nested(levels)}}}`,
    `{"tool":"a","output":"x","arguments":{"a":${nested(levels)}}}`,
  ];

  test('is refused in words or answered, on every route, and nothing breaks', async () => {
    const posts = places().filter(({ method, path }) => method === 'POST' && !path.endsWith('/x'));
    expect(posts.length).toBeGreaterThan(8);
    for (const { path } of posts) {
      for (const body of bodies(200_000)) {
        const answer = await fetch(open.url + path, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            accept: 'application/json, text/event-stream',
          },
          body,
        });
        await answer.text();
        expect(answer.status, `${path} ${body.slice(0, 60)}`).not.toBe(500);
      }
    }
    expect((await fetch(`${open.url}/healthz`)).status).toBe(200);
    const failed = open.log.entries.filter(({ message }) => message === 'request failed');
    expect(failed).toEqual([]);
  });
});
