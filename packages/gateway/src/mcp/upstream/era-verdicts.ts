import { createHash } from 'node:crypto';
import type { Clock } from '@holdfast/core';
import type { PriorDiscovery } from '@modelcontextprotocol/client';
import type { McpServerConfig } from '../mcp-config.ts';

/** A server that was upgraded still answers the old handshake, so nobody would notice: it is asked again after a day. */
const LEGACY_FOR_MS = 86_400_000;

/**
 * Which protocol revision servers turned out to speak, so that a reconnect need not probe. Kept per server and
 * credential: what a server offers may depend on who asks.
 */
export class EraVerdicts {
  readonly #clock: Clock;
  readonly #verdicts = new Map<string, { readonly verdict: PriorDiscovery; readonly at: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  find(server: McpServerConfig): PriorDiscovery | undefined {
    const key = keyOf(server);
    const known = this.#verdicts.get(key);
    if (known === undefined) return undefined;
    const { verdict, at } = known;
    if (verdict.kind === 'modern' || this.#clock.now() - at < LEGACY_FOR_MS) return verdict;
    this.#verdicts.delete(key);
    return undefined;
  }

  remember(server: McpServerConfig, verdict: PriorDiscovery): void {
    this.#verdicts.set(keyOf(server), { verdict, at: this.#clock.now() });
  }

  forget(server: McpServerConfig): void {
    this.#verdicts.delete(keyOf(server));
  }
}

/** Hashed, as the environment and the headers of a server hold its credentials. */
function keyOf({ via }: McpServerConfig): string {
  return createHash('sha256').update(JSON.stringify(via)).digest('base64');
}
