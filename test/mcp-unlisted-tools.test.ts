import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { connectSdkV2 } from './support/connect-sdk-v2.ts';
import { FaultyServers, textOf } from './support/faulty-servers.ts';
import { startGatewayHere } from './support/gateway-here.ts';
import type { GatewayHere } from './support/gateway-here.ts';
import type { McpTestClient } from './support/mcp-test-client.ts';
import { needsPart } from './support/needs-part.ts';
import { RedisServer } from './support/redis-server.ts';

const CALLS = process.env['HOLDFAST_FULL'] === '1' ? 10_000 : 100;
const redis = needsPart('redis-server');
const servers = new FaultyServers();
let gateway: GatewayHere;
let client: McpTestClient;

afterAll(() => servers.remove());

const start = async (names: readonly string[], more: object = {}): Promise<void> => {
  const entries = names.map((name) => [name, servers.entry(name)] as const);
  gateway = await startGatewayHere({
    mcp: { servers: Object.fromEntries(entries), advice: false },
    ...more,
  });
  client = await connectSdkV2({ url: `${gateway.url}/mcp` }, 'modern');
  await client.listTools();
};
const stop = async (): Promise<void> => {
  await client.close();
  await gateway.close();
};
const get = async (path: string): Promise<string> => (await fetch(gateway.url + path)).text();
const circuits = async (): Promise<readonly string[]> => {
  const status = JSON.parse(await get('/api/v1/circuits')) as { circuits: { name: string }[] };
  return status.circuits.map(({ name }) => name).sort();
};
/** Calls tools that no server lists, each by another name, some at once. */
async function callUnlisted(prefix: string): Promise<void> {
  for (let at = 0; at < CALLS; at += 50) {
    const calls = Array.from({ length: 50 }, (_, more) =>
      client.callTool(`${prefix}_${at + more}`, {}).catch(() => undefined),
    );
    await Promise.all(calls);
  }
}

describe('calls of tools that the only server does not list', () => {
  beforeEach(() => start(['only']), 20_000);
  afterEach(stop);

  test('create no circuits, labels or counts of their own', async () => {
    await client.callTool('echo', { text: 'hi' });
    const before = await circuits();
    await callUnlisted('unknown');
    await callUnlisted('hidden');

    expect(await circuits()).toEqual(before);
    expect(before).toEqual(['only/echo', 'server:only']);
    const metrics = await get('/metrics');
    expect(metrics).not.toMatch(/unknown_\d|hidden_\d/);
    expect(metrics).toContain('tool="(unlisted)"');
    const tools = JSON.parse(await get('/api/v1/tools')) as { tools: { tool: string }[] };
    expect(tools.tools.map(({ tool }) => tool).sort()).toEqual(['(unlisted)', 'echo']);
  }, 120_000);

  test('reach the server, whose circuit guards them', async () => {
    const said = await client.callTool('hidden_tool', {});

    expect(textOf(said)).toBe('done');
    expect(servers.count('only', 'ran', 'hidden_tool')).toBe(1);
    await expect(client.callTool('unknown_tool', {})).rejects.toMatchObject({ code: -32_602 });
  });

  test.each(['only/hidden_tool', 'only/hid*', 'server:only'])(
    'are refused while %s is isolated',
    async (name) => {
      const before = servers.count('only', 'ran', 'hidden_tool');
      await fetch(`${gateway.url}/api/v1/circuits/${encodeURIComponent(name)}/isolate`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ reason: 'not today' }),
      });
      const said = await client.callTool('hidden_tool', {});

      expect(said.isError).toBe(true);
      expect(textOf(said)).toContain('not today');
      expect(servers.count('only', 'ran', 'hidden_tool')).toBe(before);
    },
  );
});

describe('calls of tools that none of several servers lists', () => {
  beforeEach(() => start(['one', 'two']), 20_000);
  afterEach(stop);

  test('create no circuits or labels of their own', async () => {
    await callUnlisted('unknown');

    expect(await circuits()).toEqual([]);
    expect(await get('/metrics')).not.toMatch(/unknown_\d/);
  }, 120_000);
});

describe.skipIf(redis.isMissing)(`with a store${redis.why}`, () => {
  let store: RedisServer;
  beforeEach(async () => {
    store = await RedisServer.start();
    await start(['stored'], { store: store.url });
  }, 20_000);
  afterEach(async () => {
    await stop();
    await store.stop();
  });

  test('calls of tools that a server does not list create no keys in Redis', async () => {
    await callUnlisted('unknown');
    const keys = (await store.cli('KEYS', '*')).split('\n').filter((key) => key !== '');

    expect(keys.filter((key) => key.includes('unknown'))).toEqual([]);
    expect(keys.length).toBeLessThan(5);
  }, 120_000);
});
