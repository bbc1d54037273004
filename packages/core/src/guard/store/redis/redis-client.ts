/** What a client calls when something happened; each event has arguments of its own. */
type Listener = (...values: unknown[]) => void;

/**
 * A client of `@redis/client` or `redis`, version 5 or later, as `createClient`, `createCluster` and
 * `createSentinel` make it. Only what is used of it is named, so that nothing has to be installed to have the type.
 */
export interface NodeRedisClient {
  readonly isReady: boolean;
  eval(script: string, options: NodeRedisScriptOptions): Promise<unknown>;
  evalSha(sha1: string, options: NodeRedisScriptOptions): Promise<unknown>;
  publish(channel: string, message: string): Promise<unknown>;
  sPublish(channel: string, message: string): Promise<unknown>;
  on(event: string, listener: Listener): unknown;
  duplicate(): NodeRedisSubscriber;
}

/** What `@redis/client` gives to a script. */
export interface NodeRedisScriptOptions {
  keys: string[];
  arguments: string[];
}

/** A connection of its own for what is told to all. */
export interface NodeRedisSubscriber {
  connect(): Promise<unknown>;
  subscribe(channel: string, listener: (message: string) => void): Promise<unknown>;
  sSubscribe(channel: string, listener: (message: string) => void): Promise<unknown>;
  on(event: string, listener: Listener): unknown;
  destroy(): unknown;
}

/** A client of `ioredis`, version 5 or later: `Redis` or `Cluster`. */
export interface IoRedisClient {
  readonly status: string;
  readonly isCluster: boolean;
  eval(script: string, keys: number, ...keysAndArguments: string[]): Promise<unknown>;
  evalsha(sha1: string, keys: number, ...keysAndArguments: string[]): Promise<unknown>;
  publish(channel: string, message: string): Promise<unknown>;
  spublish(channel: string, message: string): Promise<unknown>;
  on(event: string, listener: Listener): unknown;
  /** `Redis` takes options, `Cluster` nodes and options. */
  duplicate(...nodesAndOptions: never[]): IoRedisSubscriber;
}

/** A connection of `ioredis` that hears of messages. */
export interface IoRedisSubscriber {
  subscribe(channel: string): Promise<unknown>;
  ssubscribe(channel: string): Promise<unknown>;
  on(event: string, listener: Listener): unknown;
  disconnect(): void;
}

/** What `RedisCircuitStore` takes. It must be connected by whoever made it, and is never closed by the store. */
export type RedisClient = NodeRedisClient | IoRedisClient;
