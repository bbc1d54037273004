import { hushErrors } from './hush-errors.ts';
import type { NodeRedisClient } from './redis-client.ts';
import type { RedisConnection, Subscriber, Subscription } from './redis-connection.ts';

/** A client of `@redis/client`: of one server, of a cluster, or found by sentinels. */
export class NodeRedisConnection implements RedisConnection {
  readonly isCluster: boolean;
  readonly #client: NodeRedisClient;

  constructor(client: NodeRedisClient) {
    this.#client = client;
    this.isCluster = 'masters' in client && 'slots' in client;
    hushErrors(client);
  }

  isReady(): boolean {
    return this.#client.isReady;
  }

  evalSha(sha1: string, key: string, values: readonly string[]): Promise<unknown> {
    return this.#client.evalSha(sha1, { keys: [key], arguments: [...values] });
  }

  eval(lua: string, key: string, values: readonly string[]): Promise<unknown> {
    return this.#client.eval(lua, { keys: [key], arguments: [...values] });
  }

  publish(channel: string, message: string): Promise<unknown> {
    return this.isCluster
      ? this.#client.sPublish(channel, message)
      : this.#client.publish(channel, message);
  }

  subscribe(channel: string, { heard, ended }: Subscriber): Subscription {
    const connection = this.#client.duplicate();
    hushErrors(connection);
    // By version 6 it says when it has given up; before, it only ends.
    connection.on('terminated', ended);
    connection.on('end', ended);
    const listen = async (): Promise<void> => {
      await connection.connect();
      await (this.isCluster
        ? connection.sSubscribe(channel, heard)
        : connection.subscribe(channel, heard));
    };
    return {
      ready: listen(),
      stop: async () => {
        await connection.destroy();
      },
    };
  }
}
