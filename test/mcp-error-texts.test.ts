import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectSdkV2 } from './support/connect-sdk-v2.ts';
import { FaultyServers } from './support/faulty-servers.ts';
import { startGatewayHere } from './support/gateway-here.ts';
import type { GatewayHere } from './support/gateway-here.ts';
import type { McpTestClient } from './support/mcp-test-client.ts';

const servers = new FaultyServers();
const TIMES = 500_000;
const page = createServer((request, response) => {
  request.resume();
  response.writeHead(500, { 'content-type': 'text/html' }).end('because '.repeat(TIMES));
});
let gateway: GatewayHere;
let client: McpTestClient;

beforeAll(async () => {
  await new Promise<void>((resolve) => page.listen(0, '127.0.0.1', resolve));
  const { port } = page.address() as AddressInfo;
  gateway = await startGatewayHere({
    mcp: {
      servers: {
        wordy: servers.entry('wordy'),
        page: { url: `http://127.0.0.1:${port}/mcp` },
      },
      prefix: 'always',
      advice: false,
    },
  });
  client = await connectSdkV2({ url: `${gateway.url}/mcp` }, 'modern');
  await client.listTools();
}, 20_000);
afterAll(async () => {
  await client.close();
  await gateway.close();
  page.closeAllConnections();
  page.close();
  servers.remove();
}, 20_000);

describe('an error of a server', () => {
  const refuse = (params: object): Promise<unknown> =>
    client.callTool('wordy__refuse', { code: -32_000, message: 'no', ...params }).then(
      () => expect.unreachable(),
      (error: unknown) => error,
    );

  test('has its text cut at 2,000 characters', async () => {
    const error = (await refuse({ message: 'because ', times: TIMES })) as Error;

    expect(error.message).toMatch(/because because/);
    expect(error.message).toContain('3998000 characters left out');
    expect(error.message.length).toBeLessThan(2100);
  });

  test('loses data of more than 64 KB', async () => {
    const error = (await refuse({ message: '', data: 'because ', times: TIMES })) as Error & {
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
    expect(JSON.stringify(gateway.log.entries).length).toBeLessThan(20_000);
  });
});
