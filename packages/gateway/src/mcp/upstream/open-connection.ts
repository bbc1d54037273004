import type { Clock } from '@holdfast/core';
import type { PriorDiscovery, Transport } from '@modelcontextprotocol/client';
import type { Logger } from '../../log/logger.ts';
import type { McpServerConfig } from '../mcp-config.ts';
import { ChildTransport } from '../stdio/child-transport.ts';
import { Connection } from './connection.ts';
import type { ClientIdentity, ConnectionListener } from './connection.ts';
import type { EraVerdicts } from './era-verdicts.ts';

export interface OpenConnectionOptions {
  readonly server: McpServerConfig;
  readonly identity: ClientIdentity;
  readonly listener: ConnectionListener;
  /** What our own client speaks: a server that speaks it too is spoken to in it. Default: the newest both know. */
  readonly prefer?: 'legacy' | undefined;
  readonly timeoutMs: number;
  readonly verdicts: EraVerdicts;
  readonly clock: Clock;
  readonly createTransport: (server: McpServerConfig, log: Logger) => Transport;
  readonly log: Logger;
}

/** A process that says nothing to a question it does not know is taken for a legacy server after this time. */
const PROBE_TIMEOUT_MS = 5000;

/** A connection in the era that the server speaks, which is remembered. */
export async function openConnection(options: OpenConnectionOptions): Promise<Connection> {
  const { server, verdicts, prefer } = options;
  const known = verdicts.find(server);
  const first = known ?? (prefer === 'legacy' ? LEGACY : undefined);
  let connection: Connection;
  try {
    connection = await open(options, first);
  } catch (error) {
    const other = secondGuess(options, first, error);
    if (other === 'none') throw error;
    verdicts.forget(server);
    connection = await open(options, other);
  }
  verdicts.remember(server, connection.verdict);
  return connection;
}

const LEGACY: PriorDiscovery = { kind: 'legacy' };

/**
 * What else may be tried, once. Servers that end at a question before the handshake are legacy ones; a handshake
 * that is refused comes from a server that speaks only the newer revision; and a verdict may have grown old.
 */
function secondGuess(
  { server }: OpenConnectionOptions,
  tried: PriorDiscovery | undefined,
  error: unknown,
): PriorDiscovery | undefined | 'none' {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (tried === undefined) {
    return server.via.kind === 'stdio' && code === 'ERA_NEGOTIATION_FAILED' ? LEGACY : 'none';
  }
  const wasRefused = typeof code === 'number' || code === 'ERA_NEGOTIATION_FAILED';
  return wasRefused ? undefined : 'none';
}

function open(
  { server, identity, listener, timeoutMs, clock, createTransport, log }: OpenConnectionOptions,
  prior: PriorDiscovery | undefined,
): Promise<Connection> {
  const transport = createTransport(server, log);
  return Connection.open(transport, identity, listener, {
    clock,
    timeoutMs,
    probeTimeoutMs: Math.min(PROBE_TIMEOUT_MS, timeoutMs),
    prior,
    isPipe: server.via.kind === 'stdio',
    isDepthChecked: transport instanceof ChildTransport,
  });
}
