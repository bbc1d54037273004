import type { Clock } from '@holdfast/core';
import type { McpServerConfig } from '../mcp-config.ts';
import type { UpstreamServer } from '../upstream/upstream-server.ts';

/** A client of the modern era does not say goodbye: what it has not used for this long is closed. */
const IDLE_MS = 600_000;

interface PrivateServer {
  readonly server: UpstreamServer;
  usedAt: number;
}

/** Servers that each client has for itself. */
export class PrivateServers {
  readonly #make: (config: McpServerConfig) => UpstreamServer;
  readonly #clock: Clock;
  readonly #byClient = new Map<string, Map<string, PrivateServer>>();
  #cancelSweep: (() => void) | undefined;

  constructor(make: (config: McpServerConfig) => UpstreamServer, clock: Clock) {
    this.#make = make;
    this.#clock = clock;
  }

  get(config: McpServerConfig, client: string): UpstreamServer {
    const servers = this.#byClient.get(client) ?? new Map<string, PrivateServer>();
    this.#byClient.set(client, servers);
    const usedAt = this.#clock.now();
    const known = servers.get(config.name) ?? { server: this.#make(config), usedAt };
    known.usedAt = usedAt;
    servers.set(config.name, known);
    this.#cancelSweep ??= this.#planSweep();
    return known.server;
  }

  /** The client has gone. */
  async close(client: string): Promise<void> {
    const servers = this.#byClient.get(client);
    this.#byClient.delete(client);
    await Promise.all([...(servers?.values() ?? [])].map(({ server }) => server.close()));
  }

  async closeAll(): Promise<void> {
    this.#cancelSweep?.();
    await Promise.all([...this.#byClient.keys()].map((client) => this.close(client)));
  }

  #planSweep(): () => void {
    return this.#clock.setTimer(
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
    const now = this.#clock.now();
    for (const [client, servers] of this.#byClient) {
      const isIdle = [...servers.values()].every(
        ({ server, usedAt }) => now - usedAt >= IDLE_MS && server.running.size === 0,
      );
      if (isIdle) void this.close(client);
    }
  }
}
