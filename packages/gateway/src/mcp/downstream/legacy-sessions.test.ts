import { systemClock } from '@holdfast/core/guard';
import { InMemoryTransport } from '@modelcontextprotocol/client';
import { McpServer } from '@modelcontextprotocol/server';
import type { Server } from '@modelcontextprotocol/server';
import { afterEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { startHttpServer } from '../../http/http-server.ts';
import { memoryLogger } from '../../log/memory-logger.case.ts';
import { ToolCaller } from '../call/tool-caller.ts';
import { McpHub } from '../hub/mcp-hub.ts';
import { MCP_DEFAULTS } from '../mcp-defaults.ts';
import { NO_PLUGINS } from '../../plugins/no-plugins.ts';
import { serverConfig } from '../server-config.case.ts';
import { FrontDesk } from './front-desk.ts';
import { LegacySessions } from './legacy-sessions.ts';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const BOTH = 'application/json, text/event-stream';

/** Sessions over HTTP in front of one server, whose tool `repeat` answers with as much as it is asked for. */
async function serve(): Promise<{
  readonly sessions: LegacySessions;
  readonly servers: readonly Server[];
  readonly post: (message: object, headers?: Record<string, string>) => Promise<Response>;
}> {
  const log = memoryLogger();
  const config = { ...MCP_DEFAULTS.settings, servers: [serverConfig('big')] };
  const hub = new McpHub({
    config,
    identity: { info: { name: 'test', version: '1' }, capabilities: {} },
    prefer: 'legacy',
    caller: new ToolCaller({ config, plugins: NO_PLUGINS, clock: systemClock, log }),
    createTransport: () => {
      const [ours, theirs] = InMemoryTransport.createLinkedPair();
      void bigServer().connect(theirs);
      return ours;
    },
    clock: systemClock,
    nextId: () => 'call',
    log,
  });
  const desk = new FrontDesk({ hub, version: '1', clock: systemClock, log });
  const servers: Server[] = [];
  const make = desk.legacyServer.bind(desk);
  desk.legacyServer = (key) => {
    const made = make(key);
    servers.push(made.server);
    return made;
  };
  const sessions = new LegacySessions(desk, systemClock, log);
  const http = await startHttpServer({
    host: '127.0.0.1',
    port: 0,
    routes: [
      {
        method: '*',
        path: '/mcp',
        handle: async (exchange) => {
          const body = await exchange.readBody({ maxBytes: 100_000, key: 'a key' });
          await sessions.answer(exchange, JSON.parse(body.toString()));
        },
      },
    ],
    log,
    shutdownGraceMs: 100,
  });
  closers.push(
    () => hub.close(),
    () => http.close(),
  );
  return {
    sessions,
    servers,
    post: (message, headers = {}) =>
      fetch(`${http.url}/mcp`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: BOTH, ...headers },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }),
      }),
  };
}

function bigServer(): McpServer {
  const server = new McpServer({ name: 'big', version: '1' });
  server.registerTool('repeat', { inputSchema: z.object({ times: z.number() }) }, ({ times }) => ({
    content: [{ type: 'text', text: 'x'.repeat(times) }],
  }));
  return server;
}

const INITIALIZE = {
  method: 'initialize',
  params: {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'client', version: '1' },
  },
};

describe('a session over HTTP', () => {
  test('gets a result whole that is more than a socket takes at once', async () => {
    const { post } = await serve();
    const begun = await post(INITIALIZE);
    const session = { 'mcp-session-id': begun.headers.get('mcp-session-id') ?? '' };
    await begun.text();

    const call = {
      method: 'tools/call',
      params: { name: 'repeat', arguments: { times: 900_000 } },
    };
    const text = await (await post({ id: 2, ...call }, session)).text();

    expect(text).toContain('x'.repeat(900_000));
  });

  test('that is refused leaves nothing behind', async () => {
    const { post, sessions, servers } = await serve();

    const refused = await post(INITIALIZE, { accept: 'application/json' });

    expect(refused.status).toBe(406);
    expect(sessions.size).toBe(0);
    await expect.poll(() => servers.map(({ transport }) => transport)).toEqual([undefined]);
  });
});
