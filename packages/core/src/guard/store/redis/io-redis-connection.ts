import { hushErrors } from './hush-errors.ts';
import type { IoRedisClient } from './redis-client.ts';
import type { RedisConnection, Subscriber, Subscription } from './redis-connection.ts';

/** A client of `ioredis`: `Redis`, with or without sentinels, or `Cluster`. */
export class IoRedisConnection implements RedisConnection {
  readonly isCluster: boolean;
  readonly #client: IoRedisClient;

  constructor(client: IoRedisClient) {
    this.#client = client;
    this.isCluster = client.isCluster;
    hushErrors(client);
  }

  isReady(): boolean {
    return this.#client.status === 'ready';
  }

  evalSha(sha1: string, key: string, values: readonly string[]): Promise<unknown> {
    return this.#client.evalsha(sha1, 1, key, ...values);
  }

  eval(lua: string, key: string, values: readonly string[]): Promise<unknown> {
    return this.#client.eval(lua, 1, key, ...values);
  }

  publish(channel: string, message: string): Promise<unknown> {
    return this.isCluster
      ? this.#client.spublish(channel, message)
      : this.#client.publish(channel, message);
  }

  subscribe(channel: string, { heard, ended }: Subscriber): Subscription {
    const connection = this.#client.duplicate(...this.#subscriberOptions());
    hushErrors(connection);
    connection.on('end', ended);
    connection.on(this.isCluster ? 'smessage' : 'message', (_channel, message) => {
      if (typeof message === 'string') heard(message);
    });
    const ready = this.isCluster ? connection.ssubscribe(channel) : connection.subscribe(channel);
    return {
      ready,
      stop: async () => {
        connection.disconnect();
      },
    };
  }

  /** Whatever the client was told: what is subscribed to waits for the connection, and is subscribed to again. */
  #subscriberOptions(): never[] {
    const waits = { enableOfflineQueue: true, lazyConnect: false };
    const options = this.isCluster
      ? [[], { ...waits, shardedSubscribers: true }]
      : [{ ...waits, autoResubscribe: true, maxRetriesPerRequest: null }];
    // The two kinds of clients take different arguments, which no type says of both.
    return options as never[];
  }
}
