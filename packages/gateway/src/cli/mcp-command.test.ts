import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { EXIT } from './exit-codes.ts';
import { memoryIo } from './memory-io.case.ts';
import { ENV, moodyServer } from './moody-server.case.ts';
import { PATIENCE, startMcp } from './running-mcp.case.ts';
import { run } from './run.ts';

const folder = mkdtempSync(join(tmpdir(), 'holdfast-mcp-command-'));
afterAll(() => rmSync(folder, { recursive: true }));

function write(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

const MESSAGES = [
  {
    id: 1,
    method: 'initialize',
    params: {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'test', version: '1' },
    },
  },
  { method: 'notifications/initialized' },
  { id: 2, method: 'tools/call', params: { name: 'pay', arguments: { cents: '100' } } },
].map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

describe('holdfast mcp', () => {
  test('serves the client at its pipes until that goes away', async () => {
    const client = {
      async *[Symbol.asyncIterator]() {
        for (const line of MESSAGES) yield Buffer.from(line);
        await vi.waitFor(() => expect(io.out()).toContain('"id":2'), PATIENCE);
      },
    };
    const io = memoryIo({ stdin: client, env: { ...ENV, HOLDFAST_LOG: 'silent' } });

    expect(await run(['mcp', '--', ...moodyServer('pay')], io)).toBe(EXIT.ok);
    const answers = io
      .out()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown);
    expect(answers).toMatchObject([
      { id: 1, result: { protocolVersion: '2025-06-18', serverInfo: { name: 'moody' } } },
      {
        id: 2,
        result: {
          content: [{ type: 'text', text: 'pay is done' }],
          _meta: { 'holdfast/repairs': ['cents: "100" is 100'] },
        },
      },
    ]);
  });

  test('serves over HTTP until it is told to stop', async () => {
    const { io, url, call, stop } = await startMcp(['pay']);
    expect(io.out()).toBe(
      `Holdfast listens on ${url}\n  dashboard          ${url}/\n  MCP clients        ${url}/mcp\n  MCP server         moody\n`,
    );
    expect(await call('pay')).toMatchObject({
      status: 200,
      result: { content: [{ type: 'text', text: 'pay is done' }] },
    });
    expect(await stop()).toBe(EXIT.ok);
  });

  test('lets nobody in without the token', async () => {
    const { url, call, stop } = await startMcp(['pay'], '--token', 's3cret');
    expect((await call('pay')).status).toBe(401);
    const init = {
      method: 'POST',
      headers: { authorization: 'Bearer s3cret', 'content-type': 'application/json' },
    };
    expect((await fetch(`${url}/mcp`, { ...init, body: '{' })).status).toBe(400);
    await stop();
  });

  test.each([{ origin: 'https://example.com' }, { host: 'example.com' }])(
    'refuses requests of web pages: %j',
    async (headers) => {
      const { url, stop } = await startMcp(['pay']);
      const { request } = await import('node:http');
      const status = await new Promise((resolve) => {
        request(`${url}/mcp`, { method: 'POST', headers }, (response) => {
          response.resume();
          resolve(response.statusCode);
        }).end('{}');
      });
      expect(status).toBe(403);
      await stop();
    },
  );

  test('tells what is wrong with a file of servers, and ends with 2', async () => {
    const file = write('bad.json', '{"mcpServers": {"files": {"command": 7}}}');
    const io = memoryIo();
    expect(await run(['mcp', '--config', file], io)).toBe(EXIT.misuse);
    expect(io.err()).toBe(
      `holdfast: ${file}:1:38: mcpServers.files.command: expected text, got 7\n`,
    );
  });

  test.each([
    ['over pipes', []],
    ['over HTTP', ['--listen', '127.0.0.1:0']],
  ])('tells what is wrong with a plugin file, and ends with 2, %s', async (_, flags) => {
    const file = write('bad.yaml', '- { name: a, kind: circuit-breaker, moed: enforce }');
    const io = memoryIo({ env: { HOLDFAST_LOG: 'silent' } });
    const args = ['mcp', ...flags, '--plugins', file, '--', ...moodyServer('pay')];
    expect(await run(args, io)).toBe(EXIT.misuse);
    expect(io.err()).toBe(`holdfast: ${file}:1:37: [0].moed: unknown key; did you mean mode?\n`);
  });

  test('ends with 1 where the port is taken', async () => {
    const { url, stop } = await startMcp(['pay']);
    const io = memoryIo({ env: { ...ENV, HOLDFAST_LOG: 'silent' } });
    const args = ['mcp', '--listen', new URL(url).host, '--', ...moodyServer('pay')];
    expect(await run(args, io)).toBe(EXIT.failed);
    expect(io.err()).toMatch(/^holdfast: .* in use/);
    await stop();
  });
});
