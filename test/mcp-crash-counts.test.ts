import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { connectSdkV2 } from './support/connect-sdk-v2.ts';
import { startFaultyHttpServer } from './support/faulty-http-server.ts';
import type { FaultyHttpServer } from './support/faulty-http-server.ts';
import { FaultyServers, textOf } from './support/faulty-servers.ts';
import { startGatewayHere } from './support/gateway-here.ts';
import type { GatewayHere } from './support/gateway-here.ts';
import type { CalledTool, McpTestClient } from './support/mcp-test-client.ts';

const isFull = process.env['HOLDFAST_FULL'] === '1';
const FEW = isFull ? 200 : 20;
const PATIENCE = { timeout: 8000, interval: 20 };
const servers = new FaultyServers();
const folder = mkdtempSync(join(tmpdir(), 'holdfast-crash-'));
let gateway: GatewayHere;
let client: McpTestClient;

afterAll(() => {
  servers.remove();
  rmSync(folder, { recursive: true });
});
afterEach(async () => {
  await client.close();
  await gateway.close();
});

async function start(name: string, server: object, more: object = {}): Promise<void> {
  gateway = await startGatewayHere({
    mcp: { servers: { [name]: server }, advice: false, ...more },
  });
  client = await connectSdkV2({ url: `${gateway.url}/mcp` }, 'modern');
  await client.listTools();
}

/** Failures and state of each circuit, by its name. */
async function circuits(): Promise<Readonly<Record<string, unknown>>> {
  const answer = await fetch(`${gateway.url}/api/v1/circuits`);
  const { circuits: all } = (await answer.json()) as {
    circuits: { name: string; state: string; metrics: { failures: number } }[];
  };
  return Object.fromEntries(
    all.map(({ name, state, metrics }) => [name, [metrics.failures, state]]),
  );
}

/** Calls that the server never answers, as many of each tool. */
const callAll = (inFlight: number, ...tools: readonly string[]): Promise<readonly CalledTool[]> =>
  Promise.all(
    Array.from({ length: inFlight }, (_, at) => client.callTool(tools[at % tools.length]!)),
  );
const untilRunning = (inFlight: number, count: () => number): Promise<void> =>
  vi.waitFor(() => expect(count()).toBe(inFlight), PATIENCE);

const kill = (name: string): void => {
  const { pid } = servers.events(name).findLast(({ event }) => event === 'started')!;
  process.kill(pid, 'SIGKILL');
};

describe('one crash of a server with 200 calls in flight', () => {
  test('counts once for each circuit of the gateway', async () => {
    await start('shop', servers.entry('shop'));
    const calls = callAll(200, 'hang', 'stall');
    await untilRunning(200, () => servers.count('shop', 'ran'));
    kill('shop');

    for (const result of await calls) expect(textOf(result)).toContain('was ended by SIGKILL');
    expect(await circuits()).toEqual({
      'shop/hang': [1, 'closed'],
      'shop/stall': [1, 'closed'],
      'server:shop': [1, 'closed'],
    });
    expect(textOf(await client.callTool('echo', { text: 'again' }))).toBe('shop: again');
  }, 20_000);

  test.skipIf(!isFull)(
    'counts again when the server crashes again',
    async () => {
      await start('twice', servers.entry('twice'));
      for (const crash of [1, 2]) {
        const calls = callAll(FEW, 'hang');
        await untilRunning(FEW, () => servers.count('twice', 'ran') - (crash - 1) * (FEW + 1));
        kill('twice');
        await calls;
        expect(await circuits()).toMatchObject({ 'twice/hang': [crash, 'closed'] });
        await client.callTool('echo', { text: 'again' });
      }
    },
    20_000,
  );

  test('counts once for the circuits of the plugin circuit-breaker', async () => {
    const file = join(folder, 'plugins.yaml');
    writeFileSync(file, '- { name: cb, kind: circuit-breaker, config: {} }\n');
    await start('plugged', servers.entry('plugged'), { plugins: file });
    const calls = callAll(FEW, 'hang');
    await untilRunning(FEW, () => servers.count('plugged', 'ran'));
    kill('plugged');
    await calls;

    expect(await circuits()).toMatchObject({ 'plugged/hang': [1, 'closed'] });
  }, 20_000);

  test('counts once where the server is reached over HTTP', async () => {
    const far: FaultyHttpServer = await startFaultyHttpServer({ era: 'legacy' });
    await start('far', { url: far.url });
    const calls = callAll(FEW, 'hang');
    await untilRunning(FEW, () => far.asked.filter((tool) => tool === 'hang').length);
    await far.close();

    for (const { isError } of await calls) expect(isError).toBe(true);
    expect(await circuits()).toEqual({ 'far/hang': [1, 'closed'], 'server:far': [1, 'closed'] });
  }, 20_000);
});

describe.skipIf(!isFull)('a failed start that 200 calls wait for', () => {
  beforeEach(() => start('down', servers.entry('down')), 20_000);

  test('counts once', async () => {
    await client.callTool('echo', { text: 'hi' });
    servers.put('down', 'down');
    kill('down');
    await vi.waitFor(
      () => expect(gateway.log.entries.map(({ message }) => message)).toContain('connection ended'),
      PATIENCE,
    );
    await callAll(FEW, 'hang');

    expect(await circuits()).toMatchObject({ 'down/hang': [1, 'closed'] });
  }, 20_000);
});
