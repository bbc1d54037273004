import type { Clock } from '@holdfast/core';
import type { Logger } from '../../log/logger.ts';
import type { Connection } from '../upstream/connection.ts';
import { keepListening } from '../upstream/keep-listening.ts';
import type { UpstreamServer } from '../upstream/upstream-server.ts';

export interface ResourceSubscriptionsOptions {
  /** How long a server may take to take a subscription on. */
  readonly timeoutMs: number;
  readonly clock: Clock;
  readonly log: Logger;
}

interface Subscription {
  readonly server: UpstreamServer;
  /** How many clients listen. */
  listeners: number;
  /** What was begun last, and over which connection. Resolves with what ends it. */
  begun?: { readonly connection: Connection; readonly stop: Promise<() => Promise<void>> };
}

/** Which resources clients listen to, told to the servers once each, and again when a server comes back. */
export class ResourceSubscriptions {
  readonly #byUri = new Map<string, Subscription>();
  readonly #options: ResourceSubscriptionsOptions;

  constructor(options: ResourceSubscriptionsOptions) {
    this.#options = options;
  }

  /**
   * One client more that listens, until what this resolves with is called. Rejects with what the server says where
   * it does not take the subscription.
   */
  async add(uri: string, server: UpstreamServer): Promise<() => Promise<void>> {
    const subscription = this.#byUri.get(uri) ?? { server, listeners: 0 };
    this.#byUri.set(uri, subscription);
    subscription.listeners++;
    let isRemoved = false;
    const remove = async (): Promise<void> => {
      if (isRemoved) return;
      isRemoved = true;
      await this.#remove(uri, subscription);
    };
    try {
      await this.#begin(uri, subscription);
    } catch (error) {
      await remove();
      throw error;
    }
    return remove;
  }

  /** A server that was connected to anew knows nothing of earlier subscriptions. */
  renew(server: UpstreamServer): void {
    for (const [uri, subscription] of this.#byUri) {
      if (subscription.server !== server) continue;
      this.#begin(uri, subscription).catch((error: unknown) => {
        const about = { server: server.name, uri, error };
        this.#options.log.warn(about, 'a subscription could not be renewed');
      });
    }
  }

  async #remove(uri: string, subscription: Subscription): Promise<void> {
    if (--subscription.listeners > 0) return;
    if (this.#byUri.get(uri) === subscription) this.#byUri.delete(uri);
    const { begun, server } = subscription;
    // With the connection went the subscription.
    if (begun === undefined || begun.connection !== server.current) return;
    const stop = await begun.stop.catch(() => undefined);
    await stop?.();
  }

  /** Several clients, and a reconnect meanwhile, wait for one subscription. */
  async #begin(uri: string, subscription: Subscription): Promise<void> {
    const connection = await subscription.server.connect();
    if (subscription.begun?.connection !== connection) {
      subscription.begun = { connection, stop: this.#tell(uri, subscription.server, connection) };
    }
    const { begun } = subscription;
    try {
      await begun.stop;
    } catch (error) {
      if (subscription.begun === begun) delete subscription.begun;
      throw error;
    }
  }

  async #tell(
    uri: string,
    server: UpstreamServer,
    connection: Connection,
  ): Promise<() => Promise<void>> {
    if (connection.era === 'legacy') {
      await server.request({ method: 'resources/subscribe', params: { uri } });
      return async () => {
        await server.request({ method: 'resources/unsubscribe', params: { uri } });
      };
    }
    const { timeoutMs, clock } = this.#options;
    const filter = { resourceSubscriptions: [uri] };
    const stop = await keepListening({ connection, filter, timeoutMs, clock });
    return async () => stop();
  }
}
