import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import type { Clock } from '@holdfast/core';
import { CircuitFleet } from '@holdfast/core/guard';
import type { GuardEvent, ReplicaRecord } from '@holdfast/core/guard';
import type { StoreConfig } from '../config/gateway-config.ts';
import type { Logger } from '../log/logger.ts';

export interface OpenFleetOptions {
  readonly clock: Clock;
  readonly log: Logger;
  readonly version: string;
  readonly onEvent?: (event: GuardEvent) => void;
}

/** The fleet this gateway is one of. */
export interface OpenFleet {
  readonly fleet: CircuitFleet;
  /** Those that are there. Rejects while the store is away. */
  replicas(): Promise<readonly ReplicaRecord[]>;
  /**
   * The secret that all gateways of the fleet share under a name; the first of them sets it. Rejects while the store
   * is away.
   */
  secret(name: string, first: string): Promise<string>;
  close(): Promise<void>;
}

/** Shares circuits through Redis. It need not be there: the gateway works without it, and joins when it comes. */
export async function openFleet(
  config: StoreConfig,
  options: OpenFleetOptions,
): Promise<OpenFleet> {
  const { clock, log, version, onEvent } = options;
  // Slow to load, and most gateways are alone.
  const [{ REDIS_STORE_DEFAULTS, RedisCircuitStore }, { connectRedis }] = await Promise.all([
    import('@holdfast/core/redis'),
    import('./redis-connection.ts'),
  ]);
  const connection = await connectRedis(config, { log, random: Math.random });
  const { prefix, replica = nameOfOurs() } = config;
  const store = new RedisCircuitStore({
    client: connection.client,
    clock,
    ...(prefix === undefined ? {} : { prefix }),
  });
  const fleet = new CircuitFleet({
    store,
    replica,
    clock,
    version,
    onEvent: (event) => {
      tell(event, log);
      onEvent?.(event);
    },
  });
  // Circuits that are isolated or open refuse their first call here too.
  await fleet.load();
  return {
    fleet,
    replicas: () => store.replicas(),
    secret: (name, first) =>
      connection.getOrSet(`${prefix ?? REDIS_STORE_DEFAULTS.prefix}:{~${name}}`, first),
    close: async () => {
      await fleet.close();
      connection.close();
    },
  };
}

/** One machine may run several, and one that was restarted is another. */
function nameOfOurs(): string {
  const host = hostname()
    .replace(/[^\w.-]/g, '_')
    .slice(0, 40);
  return `${host}:${process.pid}:${randomBytes(3).toString('hex')}`;
}

function tell(event: GuardEvent, log: Logger): void {
  if (event.type === 'store-degraded') {
    const { reason } = event;
    log.warn({ reason }, 'the store of circuits is away: circuits go by what this gateway sees');
  } else if (event.type === 'store-recovered') log.info({}, 'the store of circuits is there again');
}
