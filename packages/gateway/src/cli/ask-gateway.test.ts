import { createServer } from 'node:http';
import type { RequestListener, Server } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import { askGateway } from './ask-gateway.ts';
import { memoryIo } from './memory-io.case.ts';
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

function ask(url: string, args: readonly string[] = [], env = {}): Promise<unknown> {
  const given = readArguments(args, { token: 'value' });
  return askGateway(url, '/api/v1/status', given, memoryIo({ env }));
}

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
  });

  test('takes an address with a path for that of the gateway', async () => {
    const url = await listen(({ url: asked }, response) => response.end(JSON.stringify({ asked })));
    expect(await ask(`${url}/mcp`)).toEqual({ asked: '/api/v1/status' });
  });

  test.each<[string, RequestListener, string]>([
    [
      'that wants a token',
      (_, response) => response.writeHead(401).end(),
      'answered 401 to /api/v1/status',
    ],
    [
      'that is something else',
      (_, response) => response.end('<html>'),
      'is no Holdfast gateway: /api/v1/status is not a JSON object there',
    ],
    [
      'that leads elsewhere, where a token has no business',
      (_, response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
      'no gateway answers at ',
    ],
  ])('tells of one %s', async (_, answer, message) => {
    const url = await listen(answer);
    await expect(ask(url, ['--token', 's3cret'])).rejects.toThrow(message);
    await expect(ask(url, ['--token', 's3cret'])).rejects.not.toThrow('s3cret');
  });

  test('tells where nobody listens, and what is no address', async () => {
    const url = await listen(() => undefined);
    await new Promise((resolve) => server?.close(resolve));

    await expect(ask(url)).rejects.toThrow(`no gateway answers at ${url}: connect ECONNREFUSED`);
    await expect(ask('localhost')).rejects.toThrow(
      '--url: expected the address of a gateway, such as http://127.0.0.1:8787, got "localhost"',
    );
  });
});
