import { systemClock } from '@holdfast/core/guard';
import type { JsonObject } from '@holdfast/core';
import type { Environment } from '../config/expand-variables.ts';
import type { Logger } from '../log/logger.ts';
import { createMcp } from './create-mcp.ts';
import type { Exchange } from './exchange.ts';
import type { FoundTool, OfferedTool } from './hub/catalog.ts';
import type { McpConfig } from './mcp-config.ts';
import { openMcpPlugins } from './open-mcp-plugins.ts';
import type { UpstreamStatus } from './upstream/upstream-server.ts';

/** The servers of a configuration, for somebody who tries their tools. */
export interface ToolDesk {
  /** All tools, under the names that clients see. */
  list(): Promise<readonly OfferedTool[]>;
  /** A tool by the name that clients see. */
  find(name: string): Promise<FoundTool | undefined>;
  call(name: string, args: JsonObject, signal: AbortSignal): Promise<JsonObject>;
  /** How each server is. */
  readonly servers: Readonly<Record<string, UpstreamStatus>>;
  close(): Promise<void>;
}

/** Starts the servers of a configuration. Their tools are called as clients of the gateway call them. */
export async function openToolDesk(
  config: McpConfig,
  {
    env,
    log,
    version,
  }: { readonly env: Environment; readonly log: Logger; readonly version: string },
): Promise<ToolDesk> {
  const clock = systemClock;
  const plugins = await openMcpPlugins(config.pluginFile, { env, log, clock });
  const mcp = createMcp({ config, plugins, clock, log });
  const identity = { info: { name: 'holdfast', version }, capabilities: {} };
  const hub = mcp.createHub(identity);
  const client = {
    key: 'command-line',
    era: 'legacy',
    capabilities: {},
    info: undefined,
    logLevel: undefined,
  } as const;
  return {
    list: async () => {
      await hub.ready();
      await hub.catalog.list('tools');
      return hub.catalog.offered;
    },
    find: (name) => hub.catalog.tool(name),
    call: (name, args, signal) => {
      const exchange: Exchange = {
        client,
        signal,
        ask: ({ method }) => Promise.reject(new Error(`nobody here can answer ${method}`)),
        notify: () => undefined,
      };
      return hub.handle({ method: 'tools/call', params: { name, arguments: args } }, exchange);
    },
    get servers() {
      return hub.status;
    },
    close: async () => {
      await hub.close();
      await plugins.close();
    },
  };
}
