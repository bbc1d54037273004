import { systemClock } from '@holdfast/core/guard';
import {
  Client,
  InMemoryTransport,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import type { ClientOptions } from '@modelcontextprotocol/client';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { onTestFinished } from 'vitest';
import { startHttpServer } from '../../http/http-server.ts';
import { LiveRoutes } from '../../live-routes.ts';
import { memoryLogger } from '../../log/memory-logger.case.ts';
import type { MemoryLogger } from '../../log/memory-logger.case.ts';
import { ToolCaller } from '../call/tool-caller.ts';
import { everythingClient } from '../everything-client.ts';
import { McpHub } from '../hub/mcp-hub.ts';
import type { McpConfig } from '../mcp-config.ts';
import { MCP_DEFAULTS } from '../mcp-defaults.ts';
import { NO_PLUGINS } from '../../plugins/no-plugins.ts';
import { serverConfig } from '../server-config.case.ts';
import type { MemoryServer } from '../memory-gateway.case.ts';
import { createMcpRoutes } from './create-mcp-routes.ts';

export interface HttpGateway {
  readonly url: string;
  readonly hub: McpHub;
  readonly log: MemoryLogger;
  readonly connect: (era: 'legacy' | 'auto', options?: ClientOptions) => Promise<Client>;
  readonly close: () => Promise<void>;
}

/** A gateway over HTTP in front of servers that live in this process; it ends with the test. */
export async function httpGateway(
  servers: Readonly<Record<string, MemoryServer>>,
  settings: Partial<McpConfig> = {},
): Promise<HttpGateway> {
  const log = memoryLogger();
  const config: McpConfig = {
    ...MCP_DEFAULTS.settings,
    listTimeoutMs: 1000,
    servers: Object.entries(servers).map(([name, { config: more }]) => serverConfig(name, more)),
    ...settings,
  };
  const clock = systemClock;
  let id = 0;
  const hub = new McpHub({
    config,
    identity: everythingClient('1'),
    caller: new ToolCaller({ config, plugins: NO_PLUGINS, clock, log }),
    createTransport: ({ name }) => {
      const [ours, theirs] = InMemoryTransport.createLinkedPair();
      const { make, eras = 'both' } = servers[name]!;
      if (eras === 'legacy') void make().connect(theirs);
      else serveStdio(make, { transport: theirs, legacy: eras === 'modern' ? 'reject' : 'serve' });
      return ours;
    },
    clock,
    nextId: () => `call-${++id}`,
    log,
  });
  const live = new LiveRoutes(
    createMcpRoutes({
      hub,
      version: '1',
      limit: { maxBytes: 1_000_000, key: 'proxy.maxRequestBytes' },
      clock,
      log,
    }),
  );
  const http = await startHttpServer({
    host: '127.0.0.1',
    port: 0,
    routes: live.routes,
    log,
    shutdownGraceMs: 5000,
  });
  const url = `${http.url}/mcp`;
  const open: Client[] = [];
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> =>
    (closing ??= Promise.all([http.close(), live.close()]).then(() => undefined));
  onTestFinished(async () => {
    await Promise.all(open.map((client) => client.close()));
    await close();
  });
  return {
    url,
    hub,
    log,
    close,
    connect: async (mode, options = {}) => {
      const about = { ...options, versionNegotiation: { mode } };
      const client = new Client({ name: 'test-client', version: '9' }, about);
      await client.connect(new StreamableHTTPClientTransport(new URL(url)));
      open.push(client);
      return client;
    },
  };
}
