import { InvalidOptionError } from '../../../errors.ts';
import { IoRedisConnection } from './io-redis-connection.ts';
import { NodeRedisConnection } from './node-redis-connection.ts';
import type { IoRedisClient, NodeRedisClient, RedisClient } from './redis-client.ts';

/** What the store asks of a client, whichever it is. */
export interface RedisConnection {
  /** Shards have channels of their own, so that a message does not go to all of them. */
  readonly isCluster: boolean;
  /** Whether what is sent now goes out now. A client that is not connected keeps it, for as long as it takes. */
  isReady(): boolean;
  evalSha(sha1: string, key: string, values: readonly string[]): Promise<unknown>;
  eval(lua: string, key: string, values: readonly string[]): Promise<unknown>;
  publish(channel: string, message: string): Promise<unknown>;
  /** Makes a connection for it, which comes back where it is lost, until it is stopped or the client gives up. */
  subscribe(channel: string, subscriber: Subscriber): Subscription;
}

export interface Subscriber {
  readonly heard: (message: string) => void;
  /** The client has given up: no more messages come. */
  readonly ended: () => void;
}

export interface Subscription {
  /** Resolves when messages come, rejects when they never will. */
  readonly ready: Promise<unknown>;
  stop(): Promise<void>;
}

/** Tells clients apart by how they write `EVALSHA`. */
export function connectionOf(client: RedisClient): RedisConnection {
  if (isNodeRedis(client)) return new NodeRedisConnection(client);
  if (isIoRedis(client)) return new IoRedisConnection(client);
  throw new InvalidOptionError(
    'redis store.client',
    'a client of @redis/client or ioredis',
    client,
  );
}

const has = (client: unknown, ...methods: readonly string[]): boolean =>
  typeof client === 'object' &&
  client !== null &&
  methods.every((name) => typeof (client as Record<string, unknown>)[name] === 'function');

const isNodeRedis = (client: RedisClient): client is NodeRedisClient =>
  has(client, 'evalSha', 'eval', 'publish', 'on', 'duplicate');

const isIoRedis = (client: RedisClient): client is IoRedisClient =>
  has(client, 'evalsha', 'eval', 'publish', 'on', 'duplicate');
