import type { Clock, JsonObject } from '@holdfast/core';
import type { CircuitBreaker, CircuitFleet } from '@holdfast/core/guard';
import type { AdviceSigner } from '../advice/advice-signer.ts';
import { readVersion } from '../cli/version.ts';
import type { Environment } from '../config/expand-variables.ts';
import type { EnlistCircuits } from '../fleet/isolations.ts';
import type { BodyLimit } from '../http/body-limit.ts';
import type { Route } from '../http/http-exchange.ts';
import { RequestError } from '../http/request-error.ts';
import { LiveRoutes } from '../live-routes.ts';
import type { RouteSet } from '../live-routes.ts';
import type { Logger } from '../log/logger.ts';
import type { Reporter } from '../observe/reporter.ts';
import type { PluginHost } from '../plugins/plugin-run.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';
import type { McpConfig } from './mcp-config.ts';
import { openPins } from './naming/open-pins.ts';
import type { ToolPins } from './naming/tool-pins.ts';

export interface LiveMcpOptions {
  readonly env: Environment;
  readonly limit: BodyLimit;
  readonly clock: Clock;
  readonly log: Logger;
  /** Told what happens, for those who watch. Default: nobody. */
  readonly report?: Reporter;
  /** Shares circuits with other gateways. Default: nobody. */
  readonly fleet?: CircuitFleet | undefined;
  /** Lets a person isolate circuits that were not used yet. Default: nobody. */
  readonly enlist?: EnlistCircuits | undefined;
  /** Signs advice. Default: it is not signed. */
  readonly signer?: AdviceSigner | undefined;
  /** Told of what is asked and answered. Default: nobody. */
  readonly telemetry?: Telemetry;
}

/** One configuration of MCP, as it runs. */
interface Running extends RouteSet {
  readonly plugins?: PluginHost;
  approve(server: string, tool?: string): readonly string[];
  reconnect(server: string): Promise<boolean>;
  servers(): JsonObject;
  status(): JsonObject;
  circuits(): readonly CircuitBreaker[];
}

/** The MCP side of a gateway, whose servers can be exchanged while it runs. */
export class LiveMcp {
  readonly #options: LiveMcpOptions;
  readonly #pins: KnownPins;
  readonly #live: LiveRoutes;
  #running: Running;
  /** Configurations take effect in the order in which they came, however long one takes to start. */
  #replacing: Promise<void> = Promise.resolve();
  #isClosed = false;

  private constructor(options: LiveMcpOptions, pins: KnownPins, first: Running) {
    this.#options = options;
    this.#pins = pins;
    this.#running = first;
    this.#live = new LiveRoutes(first);
  }

  /** Rejects with what is wrong with the plugins. */
  static async open(config: McpConfig | undefined, options: LiveMcpOptions): Promise<LiveMcp> {
    const pins = new Map<string | undefined, ToolPins>();
    return new LiveMcp(options, pins, await begin(config, options, pins));
  }

  get routes(): readonly Route[] {
    return this.#live.routes;
  }

  /** The plugins of the configuration; undefined where it names none. */
  get plugins(): PluginHost | undefined {
    return this.#running.plugins;
  }

  /** What tools of a server have turned into is what they are from now on. Returns their names. */
  approve(server: string, tool?: string): readonly string[] {
    return this.#running.approve(server, tool);
  }

  /** Reconnects a server. Returns false for an unknown name; a failure is in its status. */
  reconnect(server: string): Promise<boolean> {
    return this.#running.reconnect(server);
  }

  /** How each server is, by its name. */
  servers(): JsonObject {
    return this.#running.servers();
  }

  status(): JsonObject {
    return this.#running.status();
  }

  circuits(): readonly CircuitBreaker[] {
    return this.#running.circuits();
  }

  /** Calls that run end where they began. What is wrong with the new plugins is logged, and all stays as it was. */
  replace(config: McpConfig | undefined): Promise<void> {
    this.#replacing = this.#replacing.then(async () => {
      if (this.#isClosed) return;
      try {
        this.#running = await begin(config, this.#options, this.#pins);
        this.#live.replace(this.#running);
      } catch (error) {
        this.#options.log.error({ error }, 'the MCP servers stay as they were');
      }
    });
    return this.#replacing;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#replacing;
    await this.#live.close();
  }
}

/** What is known of tools, by the file it is kept in. A new configuration makes nobody trust what has changed. */
type KnownPins = Map<string | undefined, ToolPins>;

async function begin(
  config: McpConfig | undefined,
  options: LiveMcpOptions,
  known: KnownPins,
): Promise<Running> {
  if (config === undefined) return NOTHING;
  const { clock, log, limit, report, telemetry, fleet, enlist, signer } = options;
  // Slow to load, and of no use to those who only have models.
  const [{ createMcp }, { createMcpRoutes }, { everythingClient }, { openMcpPlugins }] =
    await Promise.all([
      import('./create-mcp.ts'),
      import('./downstream/create-mcp-routes.ts'),
      import('./everything-client.ts'),
      import('./open-mcp-plugins.ts'),
    ]);
  const pins = known.get(config.pinFile) ?? openPins(config.pinFile, log);
  known.set(config.pinFile, pins);
  const plugins = await openMcpPlugins(config.pluginFile, {
    ...options,
    ...(report !== undefined && { onEvent: (event) => report.tell(event) }),
  });
  const version = readVersion();
  const watched = { ...(report !== undefined && { report }), telemetry };
  const mcp = createMcp({ config, plugins, pins, clock, log, fleet, enlist, signer, ...watched });
  const hub = mcp.createHub(everythingClient(version));
  const served = createMcpRoutes({ hub, version, limit, clock, log });
  // Servers that take long to start are there when the first client comes, and their tools are known to all who
  // ask for the status of the gateway.
  const learnTools = (): void => void hub.catalog.list('tools').catch(() => undefined);
  void hub.ready().then(learnTools);
  hub.onChange(({ kind }) => {
    if (kind === 'tools') learnTools();
  });
  return {
    routes: served.routes,
    retire: () => served.retire?.(),
    ...(config.pluginFile !== undefined && { plugins }),
    approve: (server, tool) => mcp.approve(server, tool),
    reconnect: (server) => mcp.reconnect(server),
    servers: () => mcp.servers(),
    status: () => mcp.status(),
    circuits: () => mcp.circuits(),
    close: async () => {
      await served.close();
      mcp.close();
      await plugins.close();
    },
  };
}

const NOTHING: Running = {
  routes: [
    {
      method: '*',
      path: '/mcp',
      handle: async () => {
        throw new RequestError(404, 'not-found', 'no MCP servers are configured here');
      },
    },
  ],
  approve: () => [],
  reconnect: () => Promise.resolve(false),
  servers: () => ({}),
  status: () => ({ servers: {}, circuits: [], tools: [] }),
  circuits: () => [],
  close: () => Promise.resolve(),
};
