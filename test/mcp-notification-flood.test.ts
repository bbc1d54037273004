import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { connectSdkV2 } from './support/connect-sdk-v2.ts';
import { startFaultyHttpServer } from './support/faulty-http-server.ts';
import type { FaultyHttpServer } from './support/faulty-http-server.ts';
import { FaultyServers, textOf } from './support/faulty-servers.ts';
import { startGatewayHere } from './support/gateway-here.ts';
import type { GatewayHere } from './support/gateway-here.ts';
import type { McpTestClient } from './support/mcp-test-client.ts';

const servers = new FaultyServers();
const TIMES = 5000;
/** The last notification of a kind is neither dropped nor delivered yet. */
const KEPT = 1;
/** How often a text is repeated that is too long. */
const LONG = 500_000;
const page = createServer((request, response) => {
  request.resume();
  response.writeHead(500, { 'content-type': 'text/html' }).end('because '.repeat(LONG));
});
/** What the docs say: 200 at once, and 100 a second. */
const most = (sinceMs: number): number => 200 + (100 * (performance.now() - sinceMs)) / 1000;

let gateway: GatewayHere;
let client: McpTestClient;
let far: FaultyHttpServer;

beforeAll(async () => {
  far = await startFaultyHttpServer({ era: 'legacy' });
  await new Promise<void>((resolve) => page.listen(0, '127.0.0.1', resolve));
  const { port } = page.address() as AddressInfo;
  const names = ['loud', 'asking', 'endless', 'quiet'];
  gateway = await startGatewayHere({
    mcp: {
      servers: {
        ...Object.fromEntries(names.map((name) => [name, servers.entry(name)])),
        far: { url: far.url },
        page: { url: `http://127.0.0.1:${port}/mcp` },
      },
      advice: false,
    },
  });
  client = await connectSdkV2({ url: `${gateway.url}/mcp` }, 'modern');
  await client.listTools();
}, 20_000);
afterAll(async () => {
  await client.close();
  await gateway.close();
  await far.close();
  page.closeAllConnections();
  page.close();
  servers.remove();
}, 20_000);

const status = async (server: string): Promise<{ dropped_messages: number }> => {
  const answer = await fetch(`${gateway.url}/api/v1/status`);
  const { mcp } = (await answer.json()) as {
    mcp: { servers: Record<string, { dropped_messages: number }> };
  };
  return mcp.servers[server]!;
};
const notification = (method: string, params: string): string =>
  `{"jsonrpc":"2.0","method":"${method}","params":${params}}`;

describe('a server that floods', () => {
  test('reaches the client up to the limit, and the rest is counted', async () => {
    const from = performance.now();
    const message = notification('notifications/progress', '{"progressToken":TOKEN,"progress":1}');
    const said = await client.callTool('loud__flood', { message, times: TIMES });
    const allowed = most(from);

    expect(textOf(said)).toBe('flooded');
    expect(client.heard.progress.length).toBeLessThanOrEqual(allowed);
    expect(client.heard.progress.length).toBeGreaterThan(100);
    const { dropped_messages: dropped } = await status('loud');
    expect(dropped).toBeGreaterThanOrEqual(TIMES - KEPT - allowed);
    const metrics = await (await fetch(`${gateway.url}/metrics`)).text();
    expect(metrics).toContain(`holdfast_mcp_messages_dropped_total{server="loud"} ${dropped}`);
  }, 20_000);

  test('reaches the client up to the limit when it is reached over HTTP', async () => {
    const from = performance.now();
    const before = client.heard.progress.length;
    await client.callTool('far__flood');

    expect(client.heard.progress.length - before).toBeLessThanOrEqual(most(from));
    const { dropped_messages: dropped } = await status('far');
    expect(dropped).toBeGreaterThanOrEqual(TIMES - KEPT - most(from));
  }, 20_000);

  test('writes few lines to the log', async () => {
    const about = gateway.log.entries.filter(({ fields }) => fields['server'] === 'loud');

    expect(about.length).toBeLessThan(20);
  });

  test('with requests has those over the limit refused', async () => {
    const from = performance.now();
    const message = '{"jsonrpc":"2.0","id":"again","method":"ping"}';
    await client.callTool('asking__flood', { message, times: TIMES });
    const { dropped_messages: dropped } = await status('asking');
    const answered = Number(textOf(await client.callTool('asking__refused', {})));

    expect(dropped).toBeGreaterThanOrEqual(TIMES - most(from));
    expect(answered).toBe(dropped);
  }, 20_000);

  test('without end leaves another server at its speed', async () => {
    const median = async (): Promise<number> => {
      const took: number[] = [];
      for (let call = 0; call < 31; call++) {
        const from = performance.now();
        await client.callTool('quiet__echo', { text: 'hi' });
        took.push(performance.now() - from);
      }
      return took.sort((one, other) => one - other)[15]!;
    };
    await median();
    const calm = await median();
    const stop = new AbortController();
    const message = notification('notifications/message', '{"level":"info","data":"hello"}');
    const flooding = client.callTool('endless__flood', { message }, stop.signal).catch(() => 0);
    await vi.waitFor(async () =>
      expect((await status('endless')).dropped_messages).toBeGreaterThan(1000),
    );

    expect(await median()).toBeLessThan(20 + 10 * calm);
    stop.abort();
    await flooding;
  }, 30_000);
});

describe('an error of a server', () => {
  const refuse = (params: object): Promise<unknown> =>
    client.callTool('quiet__refuse', { code: -32_000, message: 'no', ...params }).then(
      () => expect.unreachable(),
      (error: unknown) => error,
    );

  test('has its text cut at 2,000 characters', async () => {
    const error = (await refuse({ message: 'because ', times: LONG })) as Error;

    expect(error.message).toMatch(/because because/);
    expect(error.message).toContain('3998000 characters left out');
    expect(error.message.length).toBeLessThan(2100);
  });

  test('loses data of more than 64 KB', async () => {
    const error = (await refuse({ message: '', data: 'because ', times: LONG })) as Error & {
      data?: unknown;
    };

    expect(JSON.stringify(error.data ?? null).length).toBeLessThan(200);
  });

  test('keeps short text and data as they are', async () => {
    const data = { hint: 'ask again' };

    expect(await refuse({ data })).toMatchObject({ code: -32_000, message: 'no', data });
  });

  test('fills neither the log nor the failures of the gateway', async () => {
    const failures = await (await fetch(`${gateway.url}/api/v1/failures`)).text();

    expect(failures.length).toBeLessThan(20_000);
    const longest = Math.max(...gateway.log.entries.map((entry) => JSON.stringify(entry).length));
    expect(longest).toBeLessThan(10_000);
  });
});
