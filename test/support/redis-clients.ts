import { createClient, createCluster } from '@redis/client';
import { Cluster, Redis } from 'ioredis';
import type { RedisClient } from '@holdfast/core/redis';
import type { RedisCluster, RedisServer } from './redis-server.ts';

/** A connected client of any kind, and how it ends. */
export interface ConnectedClient {
  readonly client: RedisClient;
  close(): void;
}

export type ClientKind = '@redis/client' | 'ioredis';
export const CLIENT_KINDS: readonly ClientKind[] = ['@redis/client', 'ioredis'];

/** Soon back after a loss, so that no test waits long for it. */
const RETRY_MS = 20;

export interface Credentials {
  readonly username: string;
  readonly password: string;
}

export async function connectTo(
  server: RedisServer,
  kind: ClientKind,
  credentials: Partial<Credentials> = {},
): Promise<ConnectedClient> {
  if (kind === 'ioredis') {
    const client = new Redis({
      port: server.port,
      retryStrategy: () => RETRY_MS,
      ...credentials,
    });
    await ready(client);
    return { client, close: () => client.disconnect() };
  }
  const client = createClient({
    url: server.url,
    socket: { reconnectStrategy: () => RETRY_MS },
    ...credentials,
  });
  client.on('error', () => undefined);
  await client.connect();
  return { client, close: () => client.destroy() };
}

export async function connectToCluster(
  cluster: RedisCluster,
  kind: ClientKind,
  credentials: Partial<Credentials> = {},
): Promise<ConnectedClient> {
  if (kind === 'ioredis') {
    const nodes = cluster.nodes.map(({ port }) => ({ host: '127.0.0.1', port }));
    const client = new Cluster(nodes, { redisOptions: credentials });
    await ready(client);
    return { client, close: () => client.disconnect() };
  }
  const rootNodes = cluster.nodes.map(({ url }) => ({ url }));
  const client = createCluster({ rootNodes, defaults: credentials });
  client.on('error', () => undefined);
  await client.connect();
  return { client, close: () => client.destroy() };
}

function ready(client: Redis | Cluster): Promise<void> {
  return new Promise((resolve, reject) => {
    client.once('ready', resolve);
    client.once('error', reject);
  });
}
