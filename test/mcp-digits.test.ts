import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startMcpGateway } from './support/start-mcp-gateway.ts';
import type { Serving } from './support/start-serving.ts';

/** A double holds 9007199254740992 instead. */
const DIGITS = '9007199254740993';

/** An MCP server that answers a call with the text of the request, as it came. */
function answer(line: string): string | undefined {
  const { id, method } = JSON.parse(line) as { id?: number; method: string };
  if (id === undefined) return undefined;
  const say = (result: object): string => JSON.stringify({ jsonrpc: '2.0', id, result });
  if (method === 'initialize')
    return say({
      protocolVersion: '2025-06-18',
      capabilities: { tools: {} },
      serverInfo: { name: 'echo', version: '1' },
    });
  const schema = {
    type: 'object',
    properties: { to: { type: 'integer' }, id: { type: 'string' } },
  };
  if (method === 'tools/list') return say({ tools: [{ name: 'echo', inputSchema: schema }] });
  const content = [{ type: 'text', text: line }];
  const structuredContent = { paid: [424242] };
  return say({ content, structuredContent }).replace('424242', '9007199254740993');
}

const PROGRAM = `${answer.toString()}
require('node:readline').createInterface(process.stdin).on('line', (line) => {
  const said = answer(line);
  if (said !== undefined) console.log(said);
});`;

let http: Server;
let gateway: Serving;
let session: string;

async function post(body: string): Promise<{ readonly headers: Headers; readonly text: string }> {
  const response = await fetch(gateway.url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(session !== '' && { 'mcp-session-id': session }),
    },
    body,
  });
  return { headers: response.headers, text: await response.text() };
}

async function call(tool: string, args: string): Promise<string> {
  const params = `{"name":"${tool}","arguments":${args}}`;
  const { text } = await post(`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":${params}}`);
  return text.replaceAll('\\', '');
}

describe('a number with more digits than a double holds', () => {
  beforeAll(async () => {
    http = createServer((request, response) => {
      let body = '';
      request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
      request.on('end', () => {
        const said = request.method === 'POST' ? answer(body) : undefined;
        const status = request.method === 'POST' ? 202 : 405;
        if (said === undefined) response.writeHead(status).end();
        else response.writeHead(200, { 'content-type': 'application/json' }).end(said);
      });
    }).listen(0, '127.0.0.1');
    await once(http, 'listening');
    const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
    gateway = await startMcpGateway({
      mcpServers: {
        child: { command: process.execPath, args: ['-e', PROGRAM] },
        far: { type: 'http', url },
      },
    });
    session = '';
    const params = {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'raw', version: '1' },
    };
    const { headers } = await post(
      JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }),
    );
    session = headers.get('mcp-session-id') ?? '';
    await post('{"jsonrpc":"2.0","method":"notifications/initialized"}');
  }, 60_000);

  afterAll(async () => {
    await gateway.close();
    http.closeAllConnections();
    http.close();
  });

  test.each(['child__echo', 'far__echo'])('reaches the tool %s', async (tool) => {
    expect(await call(tool, `{"to":${DIGITS}}`)).toContain(`"arguments":{"to":${DIGITS}}`);
  });

  test.each(['child__echo', 'far__echo'])('becomes a string for %s', async (tool) => {
    expect(await call(tool, `{"id":${DIGITS}}`)).toContain(`"arguments":{"id":"${DIGITS}"}`);
  });

  test('reaches the client in the result of a child', async () => {
    const said = await call('child__echo', '{}');
    expect(said).toContain(`"structuredContent":{"paid":[${DIGITS}]}`);
  });

  test('is named where other arguments had to be changed', async () => {
    const said = await call('child__echo', `{"to":${DIGITS},"id":5}`);
    expect(said).toContain('to: expected a number that a double can hold');
  });
});
