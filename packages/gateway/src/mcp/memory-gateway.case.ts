import { systemClock } from '@holdfast/core/guard';
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import type { ClientOptions } from '@modelcontextprotocol/client';
import type { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { memoryLogger } from '../log/memory-logger.case.ts';
import { NO_PLUGINS } from '../plugins/no-plugins.ts';
import { ToolCaller } from './call/tool-caller.ts';
import { serveClient } from './downstream/serve-stdio.ts';
import { McpHub } from './hub/mcp-hub.ts';
import type { McpConfig, McpServerConfig } from './mcp-config.ts';
import { serverConfig } from './server-config.case.ts';

/** The eras that a server in memory speaks. */
export type ServerEras = 'both' | 'legacy' | 'modern';

export interface MemoryServer {
  readonly make: () => McpServer;
  readonly eras?: ServerEras;
  readonly config?: Partial<McpServerConfig>;
}

/** A gateway in front of servers that live in this process, and clients of it, all of them the SDK's own. */
export function memoryGateway(
  servers: Readonly<Record<string, MemoryServer>>,
  settings: Partial<McpConfig> = {},
): {
  /** `prepare` sees the client before it connects. */
  readonly connect: (
    options?: ClientOptions,
    prepare?: (client: Client) => void,
  ) => Promise<Client>;
  readonly log: ReturnType<typeof memoryLogger>;
  readonly starts: string[];
  readonly close: () => Promise<void>;
} {
  const log = memoryLogger();
  const starts: string[] = [];
  const config: McpConfig = {
    servers: Object.entries(servers).map(([name, { config: more }]) => serverConfig(name, more)),
    prefix: 'auto',
    separator: '__',
    listTimeoutMs: 1000,
    connectTimeoutMs: 5000,
    maxMessageBytes: 10_485_760,
    maxResultBytes: 1_000_000,
    check: true,
    advice: true,
    redefinedTools: 'quarantine',
    ...settings,
  };
  const open: Client[] = [];
  let id = 0;
  const connect = async (
    options: ClientOptions = {},
    prepare: (client: Client) => void = () => undefined,
  ): Promise<Client> => {
    const [near, far] = InMemoryTransport.createLinkedPair();
    void serveClient({
      transport: far,
      version: '1.2.3',
      clock: systemClock,
      log,
      createHub: (identity, prefer) =>
        new McpHub({
          config,
          identity,
          prefer,
          caller: new ToolCaller({ config, plugins: NO_PLUGINS, clock: systemClock, log }),
          createTransport: ({ name }) => {
            const server = servers[name];
            if (server === undefined) throw new Error(`no server ${name}`);
            starts.push(name);
            const [ours, theirs] = InMemoryTransport.createLinkedPair();
            const { make, eras = 'both' } = server;
            if (eras === 'legacy') void make().connect(theirs);
            else {
              const legacy = eras === 'modern' ? 'reject' : 'serve';
              serveStdio(make, { transport: theirs, legacy });
            }
            return ours;
          },
          clock: systemClock,
          nextId: () => `call-${++id}`,
          log,
        }),
    });
    const client = new Client({ name: 'test-client', version: '9' }, options);
    prepare(client);
    await client.connect(near);
    open.push(client);
    return client;
  };
  return {
    connect,
    log,
    starts,
    close: async () => {
      await Promise.all(open.map((client) => client.close()));
    },
  };
}
