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
/** What the docs say: 200 at once, and 100 a second. */
const most = (sinceMs: number): number => 200 + (100 * (performance.now() - sinceMs)) / 1000;

let gateway: GatewayHere;
let client: McpTestClient;
let far: FaultyHttpServer;

beforeAll(async () => {
  far = await startFaultyHttpServer({ era: 'legacy' });
  const names = ['loud', 'asking', 'endless', 'quiet'];
  gateway = await startGatewayHere({
    mcp: {
      servers: {
        ...Object.fromEntries(names.map((name) => [name, servers.entry(name)])),
        far: { url: far.url },
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
    expect(dropped).toBeGreaterThanOrEqual(TIMES - allowed);
    const metrics = await (await fetch(`${gateway.url}/metrics`)).text();
    expect(metrics).toContain(`holdfast_mcp_messages_dropped_total{server="loud"} ${dropped}`);
  }, 20_000);

  test('reaches the client up to the limit when it is reached over HTTP', async () => {
    const from = performance.now();
    const before = client.heard.progress.length;
    await client.callTool('far__flood');

    expect(client.heard.progress.length - before).toBeLessThanOrEqual(most(from));
    expect((await status('far')).dropped_messages).toBeGreaterThanOrEqual(TIMES - most(from));
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
