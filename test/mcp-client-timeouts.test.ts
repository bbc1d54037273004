import { ManualClock } from '@holdfast/core/testing';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { connectSdkV1 } from './support/connect-sdk-v1.ts';
import { connectSdkV2 } from './support/connect-sdk-v2.ts';
import { FaultyServers, textOf } from './support/faulty-servers.ts';
import { startGatewayHere } from './support/gateway-here.ts';
import type { GatewayHere } from './support/gateway-here.ts';
import type { CalledTool, McpAddress, McpTestClient } from './support/mcp-test-client.ts';

interface Sdk {
  readonly sdk: string;
  readonly server: string;
  readonly connect: (address: McpAddress) => Promise<McpTestClient>;
  /** What stands for the client's 60 s here. The gateway's are on a clock of its own. */
  readonly clientMs: number;
  /** How much of the gateway's 60 s is over when the client gives up. */
  readonly gatewayMs: number;
}

const SDKS: readonly Sdk[] = [
  { sdk: 'v1', server: 'one', connect: connectSdkV1, clientMs: 100, gatewayMs: 0 },
  {
    sdk: 'v2 of 2025-11-25',
    server: 'two',
    connect: (address) => connectSdkV2(address, 'legacy'),
    clientMs: 100,
    gatewayMs: 0,
  },
  {
    sdk: 'v2 of 2026-07-28',
    server: 'three',
    connect: (address) => connectSdkV2(address, 'modern'),
    // It says nothing when it gives up: only the time tells.
    clientMs: 1000,
    gatewayMs: 59_900,
  },
];

const servers = new FaultyServers();
const clock = new ManualClock();
const PATIENCE = { timeout: 5000, interval: 5 };
let gateway: GatewayHere;

beforeAll(async () => {
  const entries = SDKS.map(({ server }) => [server, servers.entry(server)]);
  const mcp = { servers: Object.fromEntries(entries) as object, advice: false };
  gateway = await startGatewayHere({ mcp }, { clock });
});

afterAll(async () => {
  await gateway.close();
  servers.remove();
});

describe.each(SDKS)('a tool that hangs for clients of SDK $sdk', (about) => {
  const { server, connect, clientMs, gatewayMs } = about;
  let client: McpTestClient;
  beforeAll(async () => {
    client = await connect({ url: `${gateway.url}/mcp` });
  });
  afterAll(() => client.close());

  const call = (signal?: AbortSignal, timeoutMs?: number): Promise<CalledTool> =>
    client.callTool(`${server}__hang`, {}, signal, timeoutMs);
  const until = (event: 'ran' | 'cancelled', calls: number): Promise<void> =>
    vi.waitFor(() => expect(servers.count(server, event)).toBe(calls), PATIENCE);

  test('keeps its circuit closed when five calls are cancelled early', async () => {
    const person = new AbortController();
    const ended = Promise.allSettled(Array.from({ length: 5 }, () => call(person.signal)));
    await until('ran', 5);
    await clock.advance(50_000);
    person.abort();
    await ended;
    await until('cancelled', 5);
  });

  test('opens its circuit when five calls meet the timeout of the client', async () => {
    const ended = Promise.allSettled(Array.from({ length: 5 }, () => call(undefined, clientMs)));
    await until('ran', 10);
    await clock.advance(gatewayMs);
    expect((await ended).map(({ status }) => status)).toEqual(Array(5).fill('rejected'));
    await until('cancelled', 10);

    expect(textOf(await call())).toContain('was not called');
    expect(servers.count(server, 'ran')).toBe(10);
  });
});
