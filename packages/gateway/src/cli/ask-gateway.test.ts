import { createServer } from 'node:http';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import { askGateway } from './ask-gateway.ts';
import { EXIT } from './exit-codes.ts';
import { readGatewayAddress } from './gateway-address.ts';
import { memoryIo } from './memory-io.case.ts';
import { Misuse } from './misuse.ts';
import { readArguments } from './read-arguments.ts';

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

/** Starts a server on a free port. */
async function listen(answer: RequestListener): Promise<string> {
  const started = createServer(answer);
  server = started;
  await new Promise<void>((resolve) => started.listen(0, '127.0.0.1', resolve));
  const address = started.address();
  return `http://127.0.0.1:${typeof address === 'object' ? (address?.port ?? 0) : 0}`;
}

async function ask(
  url: string | undefined,
  args: readonly string[] = [],
  env: Record<string, string> = {},
  body?: Record<string, string>,
): Promise<unknown> {
  const given = readArguments([...(url === undefined ? [] : ['--url', url]), ...args], {
    url: 'value',
    token: 'value',
  });
  const address = readGatewayAddress(given, memoryIo({ env }));
  return askGateway(address, '/api/v1/status', body && { body });
}

async function failureOf(asked: Promise<unknown>): Promise<Misuse> {
  const error: unknown = await asked.catch((thrown: unknown) => thrown);
  if (error instanceof Misuse) return error;
  throw new Error('expected a Misuse');
}

/** Answers with bytes that do not end; `bytes` says how many were taken. */
function endless(status: number): { readonly answer: RequestListener; bytes: number } {
  const sent = {
    bytes: 0,
    answer: (_: IncomingMessage, response: ServerResponse): void => {
      const piece = Buffer.alloc(1_000_000, ' ');
      const write = (): void => {
        do sent.bytes += piece.length;
        while (!response.destroyed && response.write(piece));
      };
      response.writeHead(status, { 'content-type': 'application/json' });
      response.on('drain', write);
      write();
    },
  };
  return sent;
}

describe('asking what is no gateway', () => {
  test.each([301, 302, 307, 308])('brings the token nowhere else: %i', async (status) => {
    const asked: string[] = [];
    const url = await listen((request, response) => {
      asked.push(request.url ?? '');
      response.writeHead(status, { location: '/elsewhere' }).end();
    });
    await expect(ask(url, ['--token', 'secret'])).rejects.toThrow('no gateway answers');
    expect(asked).toEqual(['/api/v1/status']);
  });

  test.each([200, 500])('ends with an answer that does not: %i', async (status) => {
    const sent = endless(status);
    const url = await listen(sent.answer);
    await expect(ask(url)).rejects.toThrow(/is no Holdfast gateway|answered 500/);
    expect(sent.bytes).toBeLessThan(100_000_000);
  });
});

describe('asking a gateway that runs', () => {
  test('takes the token of the option, then that of the environment', async () => {
    const shown: (string | undefined)[] = [];
    const url = await listen((request, response) => {
      shown.push(request.headers.authorization);
      response.end('{"version":"1"}');
    });

    expect(await ask(url)).toEqual({ version: '1' });
    await ask(url, [], { HOLDFAST_TOKEN: 'from-env' });
    await ask(url, ['--token', 'given'], { HOLDFAST_TOKEN: 'from-env' });
    expect(shown).toEqual([undefined, 'Bearer from-env', 'Bearer given']);
    await expect(ask(url, ['--token', 'a\nb'])).rejects.toThrow('--token: expected plain');
  });

  test('takes the address of the option, then that of the environment', async () => {
    const url = await listen((_, response) => response.end('{"a":1}'));

    expect(await ask(undefined, [], { HOLDFAST_URL: url })).toEqual({ a: 1 });
    expect(await ask(url, [], { HOLDFAST_URL: 'http://127.0.0.1:1' })).toEqual({ a: 1 });
    expect(readGatewayAddress(readArguments([], {}), memoryIo()).origin).toBe(
      'http://127.0.0.1:8787',
    );
  });

  test('takes an address with a path for that of the gateway', async () => {
    const url = await listen(({ url: asked }, response) => response.end(JSON.stringify({ asked })));
    expect(await ask(`${url}/mcp`)).toEqual({ asked: '/api/v1/status' });
  });

  test('posts JSON', async () => {
    const url = await listen((request, response) => {
      const { method, headers } = request;
      let sent = '';
      request.on('data', (chunk: Buffer) => (sent += chunk.toString()));
      request.on('end', () =>
        response.end(JSON.stringify({ method, sent, type: headers['content-type'] })),
      );
    });
    expect(await ask(url, [], {}, { note: 'fixed' })).toEqual({
      method: 'POST',
      sent: '{"note":"fixed"}',
      type: 'application/json',
    });
  });

  const error = (status: number, message?: string): RequestListener => {
    const body = message === undefined ? '' : JSON.stringify({ error: { message } });
    return (_, response) => response.writeHead(status).end(body);
  };

  test.each<[string, RequestListener, number, string]>([
    ['that takes another token', error(401), EXIT.misuse, 'give the right one with --token'],
    [
      'that says what is wrong',
      error(404, 'there is no circuit "pya"; did you mean pay?'),
      EXIT.misuse,
      'there is no circuit "pya"; did you mean pay?',
    ],
    ['that is older', error(404), EXIT.misuse, 'it is no gateway of this version'],
    ['that fails', error(500, 'oops'), EXIT.misuse, 'answered 500 to /api/v1/status: oops'],
    [
      'that is something else',
      (_, response) => response.end('<html>'),
      EXIT.noServer,
      'is no Holdfast gateway: /api/v1/status is not a JSON object there; name the gateway with',
    ],
    [
      'that leads elsewhere, where a token has no business',
      (_, response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
      EXIT.noServer,
      'no gateway answers at ',
    ],
  ])('tells of one %s', async (_, answer, code, message) => {
    const url = await listen(answer);
    const { exitCode, message: told } = await failureOf(ask(url, ['--token', 's3cret']));
    expect(exitCode).toBe(code);
    expect(told).toContain(message);
    expect(told).not.toContain('s3cret');
  });

  test('tells of one that wants a token how to give it', async () => {
    const url = await listen(error(401));
    await expect(ask(url)).rejects.toThrow(
      `${url} wants a token: give it with --token or HOLDFAST_TOKEN`,
    );
  });

  test('tells where nobody listens, and what is no address', async () => {
    const url = await listen(() => undefined);
    await new Promise((resolve) => server?.close(resolve));

    const { exitCode, message } = await failureOf(ask(url));
    expect(exitCode).toBe(EXIT.noServer);
    expect(message).toMatch(
      /^no gateway answers at \S+: connect ECONNREFUSED \S+; start one with holdfast start, or name another with --url or HOLDFAST_URL$/,
    );
    await expect(ask('localhost')).rejects.toThrow(
      '--url: expected the address of a gateway, such as http://127.0.0.1:8787, got "localhost"',
    );
    await expect(ask(undefined, [], { HOLDFAST_URL: 'ftp://x' })).rejects.toThrow(
      'HOLDFAST_URL: expected the address of a gateway',
    );
  });
});
