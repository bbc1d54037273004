import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { connectSdkV2 } from './support/connect-sdk-v2.ts';
import { FaultyServers, textOf } from './support/faulty-servers.ts';
import { freePort } from './support/free-port.ts';
import { needsPart } from './support/needs-part.ts';
import { RedisServer } from './support/redis-server.ts';
import { runCli } from './support/run-cli.ts';
import { holdfast } from './support/start-mcp-gateway.ts';
import { startServing } from './support/start-serving.ts';
import type { Serving } from './support/start-serving.ts';

const PATIENCE = { timeout: 8000, interval: 50 };
const folder = mkdtempSync(join(tmpdir(), 'holdfast-isolation-'));
const servers = new FaultyServers();
const running: Serving[] = [];
const redis = needsPart('redis-server');

afterEach(async () => {
  await Promise.all(running.splice(0).map((gateway) => gateway.close()));
});
afterAll(() => {
  servers.remove();
  rmSync(folder, { recursive: true });
});

/** The file of a gateway in front of one server, with its address. */
function write(port: number, more: object = {}): string {
  const file = join(folder, `${port}.yaml`);
  const config = {
    listen: `127.0.0.1:${port}`,
    mcp: { servers: { shop: servers.entry('shop') }, advice: false },
    observe: { history: false },
    ...more,
  };
  writeFileSync(file, JSON.stringify(config));
  return file;
}

async function start(file: string): Promise<Serving> {
  const gateway = await startServing([holdfast, 'up', '--config', file], folder);
  running.push(gateway);
  return gateway;
}

async function stop(gateway: Serving): Promise<void> {
  running.splice(running.indexOf(gateway), 1);
  await gateway.close();
}

/** What a new client hears of the server's tool. */
async function call({ url }: Serving): Promise<string> {
  const client = await connectSdkV2({ url: `${new URL(url).origin}/mcp` });
  try {
    return textOf(await client.callTool('echo', { text: 'hi' }));
  } finally {
    await client.close();
  }
}

async function cli({ url }: Serving, ...args: readonly string[]): Promise<string> {
  const { origin } = new URL(url);
  const { code, stdout, stderr } = await runCli([...args, '--url', origin]);
  return `${code} ${stdout}${stderr}`;
}

describe('an isolation', { timeout: 30_000 }, () => {
  test('of an unused tool survives a reload and a restart until its reset', async () => {
    const port = await freePort();
    const file = write(port);
    let gateway = await start(file);
    expect(await cli(gateway, 'isolate', 'shop/echo', '--reason', 'moving')).toContain(
      'shop/echo is isolated until it is reset',
    );
    expect(await call(gateway)).toContain('moving');

    write(port, { mcp: { servers: { shop: servers.entry('shop') }, advice: true } });
    await vi.waitFor(() => expect(gateway.log()).toContain('configuration loaded'), PATIENCE);
    expect(await call(gateway)).toContain('moving');

    await stop(gateway);
    gateway = await start(write(port));
    expect(await call(gateway)).toContain('moving');

    expect(await cli(gateway, 'reset', 'shop/echo')).toContain('0 shop/echo is closed');
    await stop(gateway);
    expect(await call(await start(file))).toBe('shop: hi');
  });

  test('of a server or a pattern ends with reset --all', async () => {
    const gateway = await start(write(await freePort()));
    await cli(gateway, 'isolate', 'server:shop', '--reason', 'one');
    expect(await call(gateway)).toContain('one');
    expect(await cli(gateway, 'reset', '--all')).toBe('0 server:shop: calls go through again\n');
    expect(await call(gateway)).toBe('shop: hi');

    await cli(gateway, 'isolate', 'shop/*', '--reason', 'two');
    expect(await call(gateway)).toContain('two');
    expect(await cli(gateway, 'reset', '--all')).toContain('shop/*');
    expect(await call(gateway)).toBe('shop: hi');
    expect(await cli(gateway, 'isolate', 'shp/echo', '--reason', 'x')).toMatch(/^2 .*no circuit/);
  });
});

describe.skipIf(redis.isMissing)(`replicas with one store${redis.why}`, { timeout: 30_000 }, () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await RedisServer.start([]);
  });
  afterAll(() => server.stop());

  test('refuse the first call of a tool that one of them has isolated', async () => {
    const store = { url: `redis://127.0.0.1:${server.port}` };
    const [one, other] = await Promise.all([
      start(write(await freePort(), { store })),
      start(write(await freePort(), { store })),
    ]);
    await cli(one, 'isolate', 'shop/*', '--reason', 'moving');
    await expect.poll(() => cli(other, 'circuits'), PATIENCE).toContain('shop/*');
    expect(await call(other)).toContain('moving');

    // All replicas end, and one comes back.
    await Promise.all([stop(one), stop(other)]);
    const next = await start(write(await freePort(), { store }));
    expect(await call(next)).toContain('moving');
    expect(await cli(next, 'reset', '--all')).toContain('shop/*');
    expect(await call(next)).toBe('shop: hi');
  });
});
