import type { Clock } from '@holdfast/core';
import type { McpServerConfig } from '../mcp-config.ts';
import type { UpstreamServer } from '../upstream/upstream-server.ts';

export interface PrivateServersOptions {
  readonly make: (config: McpServerConfig, client: string) => UpstreamServer;
  /** Whether a client is known to be still there: then what it has is kept, however long it is idle. */
  readonly isPresent: (client: string) => boolean;
  readonly clock: Clock;
}

/** A client of the modern era does not say goodbye: what it has not used for this long is closed. */
const IDLE_MS = 600_000;

/** How many clients that have gone are remembered: as many as there may be at once. */
const MOST_ENDED = 1000;

interface PrivateServer {
  readonly server: UpstreamServer;
  usedAt: number;
}

/** Servers that each client has for itself. */
export class PrivateServers {
  readonly #options: PrivateServersOptions;
  readonly #byClient = new Map<string, Map<string, PrivateServer>>();
  #cancelSweep: (() => void) | undefined;
  #isClosed = false;
  /** Clients whose last calls may still run. */
  readonly #ended = new Set<string>();

  constructor(options: PrivateServersOptions) {
    this.#options = options;
  }

  get(config: McpServerConfig, client: string): UpstreamServer {
    if (this.#isClosed || this.#ended.has(client)) return this.#closedServer(config, client);
    const servers = this.#byClient.get(client) ?? new Map<string, PrivateServer>();
    this.#byClient.set(client, servers);
    const usedAt = this.#options.clock.now();
    const known = servers.get(config.name) ?? {
      server: this.#options.make(config, client),
      usedAt,
    };
    known.usedAt = usedAt;
    servers.set(config.name, known);
    this.#cancelSweep ??= this.#planSweep();
    return known.server;
  }

  of(client: string): readonly UpstreamServer[] {
    return [...(this.#byClient.get(client)?.values() ?? [])].map(({ server }) => server);
  }

  /** The client has gone. */
  async close(client: string): Promise<void> {
    const servers = this.of(client);
    this.#byClient.delete(client);
    await Promise.all(servers.map((server) => server.close()));
  }

  /** The client is there, perhaps again. */
  begin(client: string): void {
    this.#ended.delete(client);
  }

  /** The client has gone, and nobody is called like it until one begins. */
  end(client: string): Promise<void> {
    this.#ended.add(client);
    const [oldest] = this.#ended;
    if (this.#ended.size > MOST_ENDED && oldest !== undefined) this.#ended.delete(oldest);
    return this.close(client);
  }

  async closeAll(): Promise<void> {
    this.#isClosed = true;
    this.#cancelSweep?.();
    await Promise.all([...this.#byClient.keys()].map((client) => this.close(client)));
  }

  /** A call whose client has gone may go on for a while, and would start a process that nobody ends. */
  #closedServer(config: McpServerConfig, client: string): UpstreamServer {
    const server = this.#options.make(config, client);
    void server.close();
    return server;
  }

  #planSweep(): () => void {
    return this.#options.clock.setTimer(
      () => {
        this.#cancelSweep = undefined;
        this.#sweep();
        if (this.#byClient.size > 0) this.#cancelSweep = this.#planSweep();
      },
      IDLE_MS / 2,
      true,
    );
  }

  #sweep(): void {
    const now = this.#options.clock.now();
    for (const [client, servers] of this.#byClient) {
      const isIdle = [...servers.values()].every(
        ({ server, usedAt }) => now - usedAt >= IDLE_MS && server.running.size === 0,
      );
      if (isIdle && !this.#options.isPresent(client)) void this.close(client);
    }
  }
}
