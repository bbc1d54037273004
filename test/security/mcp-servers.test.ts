import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { connectSdkV2 } from '../support/connect-sdk-v2.ts';
import { startGatewayHere } from '../support/gateway-here.ts';
import type { GatewayHere } from '../support/gateway-here.ts';
import type { CalledTool, McpTestClient } from '../support/mcp-test-client.ts';
import { root } from '../support/repository.ts';
import { until } from '../support/until.ts';

const SHIFTY = join(root, 'test/support/shifty-server.mjs');
const folder = mkdtempSync(join(tmpdir(), 'holdfast-shifty-'));
const pins = join(folder, 'pins.json');
afterAll(() => rmSync(folder, { recursive: true }));

const open: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.close();
});

const shifty = (...args: readonly string[]) => ({
  command: process.execPath,
  args: [SHIFTY, ...args],
});

async function start(mcp: object): Promise<GatewayHere> {
  const gateway = await startGatewayHere({ mcp });
  open.push(gateway);
  return gateway;
}

async function connect({ url }: GatewayHere): Promise<McpTestClient> {
  const client = await connectSdkV2({ url: `${url}/mcp` });
  open.push(client);
  return client;
}

const namesOf = async (client: McpTestClient): Promise<string[]> =>
  (await client.listTools()).map(({ name }) => name);

const textOf = ({ content }: CalledTool): string => (content[0] as { readonly text: string }).text;

/** What came to the server itself. */
const heardBy = async (client: McpTestClient, tool = 'heard'): Promise<string[]> =>
  JSON.parse(textOf(await client.callTool(tool))) as string[];

async function approve({ url }: GatewayHere, body: object): Promise<Response> {
  return fetch(`${url}/api/v1/tools/approve`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

describe('tools that turn into others', () => {
  test('are neither shown nor called until somebody approves the change', async () => {
    const gateway = await start({ servers: { notes: shifty() } });
    const client = await connect(gateway);
    expect(await namesOf(client)).toEqual(['read', 'shift', 'heard']);
    expect(textOf(await client.callTool('read'))).toBe('a note');

    await client.callTool('shift');
    await until(async () => !(await namesOf(client)).includes('read'));
    const refused = await client.callTool('read', { path: 'x' });
    expect(refused.isError).toBe(true);
    expect(textOf(refused)).toContain('read was not called: its server has changed what the tool');
    expect(JSON.stringify(refused)).not.toContain('exfiltrate');
    const calls = (await heardBy(client)).filter((line) => line.includes('"name":"read"'));
    expect(calls).toHaveLength(1);
    const status = await (await fetch(`${gateway.url}/api/v1/status`)).text();
    expect(status).toContain('"quarantined":true');
    expect(status).not.toContain('exfiltrate');

    expect((await approve(gateway, { server: 'notes', tool: 'nothing' })).status).toBe(404);
    const approved = await approve(gateway, { server: 'notes', tool: 'read' });
    expect(await approved.json()).toEqual({ server: 'notes', approved: ['read'] });
    expect(await namesOf(client)).toEqual(['read', 'shift', 'heard']);
    expect(textOf(await client.callTool('read'))).toBe('a note');
  });

  test('come back by themselves when the server takes the change back', async () => {
    const client = await connect(await start({ servers: { notes: shifty() } }));
    await namesOf(client);
    await client.callTool('shift');
    await until(async () => !(await namesOf(client)).includes('read'));
    await client.callTool('shift');
    await until(async () => (await namesOf(client)).includes('read'));
  });

  test('are noticed after a restart, where pins are kept', async () => {
    const first = await start({ servers: { notes: shifty() }, pins });
    await namesOf(await connect(first));
    expect(statSync(pins).mode & 0o777).toBe(0o600);
    expect(readFileSync(pins, 'utf8')).toMatch(
      /"notes": \{\s+"\(instructions\)": "2:[\da-f]{64}",\s+"heard": "2:[\da-f]{64}"/,
    );
    for (const each of open.splice(0).reverse()) await each.close();

    const second = await start({ servers: { notes: shifty('other') }, pins });
    const client = await connect(second);
    expect(await namesOf(client)).toEqual(['shift', 'heard']);
    expect((await client.callTool('read')).isError).toBe(true);
    await approve(second, { server: 'notes' });
    expect(await namesOf(client)).toContain('read');
    for (const each of open.splice(0).reverse()) await each.close();

    const third = await connect(await start({ servers: { notes: shifty('other') }, pins }));
    expect(await namesOf(third)).toContain('read');
  });

  test('are let through where that is wanted, and logged', async () => {
    const gateway = await start({ servers: { notes: shifty() }, redefinedTools: 'log' });
    const client = await connect(gateway);
    await namesOf(client);
    await client.callTool('shift');
    await until(() =>
      gateway.log.entries.some(({ message }) => message === 'a tool was redefined'),
    );
    expect(await namesOf(client)).toContain('read');
  });

  test('of one server cannot take the calls of another', async () => {
    const gateway = await start({
      prefix: 'never',
      servers: { one: shifty(), two: shifty('other') },
    });
    const names = await namesOf(await connect(gateway));
    expect(new Set(names).size).toBe(6);
    expect(names).not.toContain('read');
    expect(names.filter((name) => name.startsWith('one__'))).toHaveLength(3);
  });
});

describe('keys that are given twice, or in other letters', () => {
  test('a server sees what the gateway saw, and nothing else', async () => {
    const gateway = await start({
      servers: { notes: { ...shifty(), tools: { deny: ['shift'] } } },
    });
    const client = await connect(gateway);
    const revision = '2026-07-28';
    const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"${revision}","io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}`;
    const send = (params: string, name: string): Promise<Response> =>
      fetch(`${gateway.url}/mcp`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'mcp-protocol-version': revision,
          'mcp-method': 'tools/call',
          'mcp-name': name,
        },
        body: `{"jsonrpc":"2.0","id":1,"method":"tools/list","method":"tools/call","params":{${params},${meta}}}`,
      });
    const cases = [
      send('"name":"shift","name":"read"', 'read'),
      send('"name":"read","Name":"shift","nаme":"shift"', 'read'),
      send('"name":"read","arguments":{"path":"a","path":"b"}', 'read'),
    ];
    for (const each of await Promise.all(cases))
      expect((await each.text()).length).toBeGreaterThan(0);
    // The last of two keys counts, and it is denied.
    const denied = await send('"name":"read","name":"shift"', 'shift');
    expect(await denied.text()).toContain('Unknown tool');
    const lines = await heardBy(client);
    const calls = lines.filter((line) => line.includes('tools/call') && !line.includes('"heard"'));
    expect(calls).toHaveLength(3);
    for (const line of calls) {
      // Written anew from what was read: each key is there once.
      expect(line).toBe(JSON.stringify(JSON.parse(line)));
      const { method, params } = JSON.parse(line) as { method: string; params: { name: string } };
      expect([method, params.name]).toEqual(['tools/call', 'read']);
    }
  });
});
