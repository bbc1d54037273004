import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { connectSdkV2 } from './support/connect-sdk-v2.ts';
import { startFaultyHttpServer } from './support/faulty-http-server.ts';
import type { FaultyHttpServer } from './support/faulty-http-server.ts';
import { textOf } from './support/faulty-servers.ts';
import type { McpTestClient } from './support/mcp-test-client.ts';
import { root } from './support/repository.ts';
import { startMcpGateway } from './support/start-mcp-gateway.ts';
import type { Serving } from './support/start-serving.ts';

const PATIENCE = { timeout: 8000, interval: 25 };

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

describe.for(['legacy', 'modern'] as const)('a server of the %s era over HTTP', (era) => {
  let server: FaultyHttpServer;
  let gateway: Serving;
  let client: McpTestClient;

  beforeAll(async () => {
    server = await startFaultyHttpServer({ era });
    const { url } = server;
    gateway = await startMcpGateway({ mcpServers: { far: { type: 'http', url } } }, [
      '--no-advice',
    ]);
    client = await connectSdkV2({ url: gateway.url }, era);
  });

  afterAll(async () => {
    await client.close();
    await gateway.close();
    await server.close();
  });

  const timesAsked = (tool: string): number => server.asked.filter((name) => name === tool).length;

  test('answers through the gateway', async () => {
    expect(textOf(await client.callTool('hello'))).toBe('hello');
  });

  test.each(['end', 'break'])(
    'that closes the stream before the answer (%s) fails the call at once, and is asked once',
    async (tool) => {
      const from = performance.now();
      const said = await client.callTool(tool);

      expect(said.isError).toBe(true);
      expect(textOf(said)).toMatch(/far ended its stream before it answered/);
      expect(performance.now() - from).toBeLessThan(1000);
      expect(timesAsked(tool)).toBe(1);
      expect(textOf(await client.callTool('hello'))).toBe('hello');
    },
  );

  test('is asked again where the tool only reads', async () => {
    expect((await client.callTool('end_reading')).isError).toBe(true);
    expect(timesAsked('end_reading')).toBeGreaterThan(1);
  });

  test('hears that the client takes a call back', async () => {
    const controller = new AbortController();
    const calling = client.callTool('hang', {}, controller.signal).catch((error: unknown) => error);
    await vi.waitFor(() => expect(timesAsked('hang')).toBe(1), PATIENCE);
    controller.abort();
    await calling;
    await vi.waitFor(() => expect(server.takenBack()).toBeGreaterThan(0), PATIENCE);
  });
});

describe.for([404, 400] as const)(
  'a session that the server forgot, and says so by %d,',
  (unknownSession) => {
    let server: FaultyHttpServer;
    let gateway: Serving;
    let client: McpTestClient;

    beforeAll(async () => {
      server = await startFaultyHttpServer({ era: 'legacy', unknownSession });
      const far = { type: 'http', url: server.url };
      gateway = await startMcpGateway({ mcpServers: { far } }, ['--no-advice']);
      client = await connectSdkV2({ url: gateway.url }, 'modern');
      await client.callTool('hello');
    });

    afterAll(async () => {
      await client.close();
      await gateway.close();
      await server.close();
    });

    const times = (method: string): number => server.asked.filter((name) => name === method).length;

    test('is begun anew once, however many calls run into it, and none of them fails', async () => {
      const before = times('initialize');
      server.forgetSessions();
      const said = await Promise.all(Array.from({ length: 10 }, () => client.callTool('hello')));

      expect(said.map(textOf)).toEqual(said.map(() => 'hello'));
      expect(times('initialize') - before).toBe(1);
    });

    test('is begun anew for a list as well', async () => {
      const before = times('initialize');
      server.forgetSessions();
      expect((await client.listTools()).map(({ name }) => name)).toContain('hello');
      expect(times('initialize') - before).toBe(1);
      expect(textOf(await client.callTool('hello'))).toBe('hello');
    });
  },
);

describe('server-everything', () => {
  const program = join(
    root,
    'node_modules',
    '@modelcontextprotocol',
    'server-everything',
    'dist',
    'index.js',
  );
  let running: ChildProcess | undefined;

  const start = async (mode: string, port: number): Promise<void> => {
    const env = { ...process.env, PORT: String(port) };
    const child = spawn(process.execPath, [program, mode], {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    running = child;
    let said = '';
    const read = (chunk: Buffer): void => void (said += chunk.toString());
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    await vi.waitFor(() => expect(said).toMatch(/port \d+/), PATIENCE);
  };
  const stop = async (): Promise<void> => {
    const child = running;
    running = undefined;
    if (child === undefined) return;
    const closed = once(child, 'close');
    child.kill('SIGKILL');
    await closed;
  };

  afterEach(stop);

  test.each([
    ['over Streamable HTTP', 'streamableHttp', { type: 'http' }, '/mcp'],
    ['over the older SSE', 'sse', { type: 'sse' }, '/sse'],
  ])(
    '%s works, and works again after it was restarted',
    async (_, mode, settings, path) => {
      const port = await freePort();
      await start(mode, port);
      const everything = { ...settings, url: `http://127.0.0.1:${port}${path}` };
      const gateway = await startMcpGateway({ mcpServers: { everything } }, ['--no-advice']);
      const client = await connectSdkV2({ url: gateway.url }, 'modern');
      const add = async () => textOf(await client.callTool('get-sum', { a: 2, b: 3 }));
      try {
        expect((await client.listTools()).map(({ name }) => name)).toContain('get-sum');
        expect(await add()).toBe('The sum of 2 and 3 is 5.');

        await stop();
        expect(await add()).toMatch(/get-sum failed/);
        await start(mode, port);
        await vi.waitFor(
          async () => expect(await add()).toBe('The sum of 2 and 3 is 5.'),
          PATIENCE,
        );
      } finally {
        await client.close();
        await gateway.close();
      }
    },
    30_000,
  );
});
