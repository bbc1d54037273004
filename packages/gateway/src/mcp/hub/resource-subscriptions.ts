import type { Logger } from '../../log/logger.ts';
import type { UpstreamServer } from '../upstream/upstream-server.ts';

interface Subscription {
  readonly server: UpstreamServer;
  /** How many clients listen. */
  listeners: number;
  /** Ends what was begun with a modern server. */
  stop?: () => void;
}

/** Which resources clients listen to, told to the servers once each, and again when a server comes back. */
export class ResourceSubscriptions {
  readonly #byUri = new Map<string, Subscription>();
  readonly #timeoutMs: number;
  readonly #log: Logger;

  constructor(timeoutMs: number, log: Logger) {
    this.#timeoutMs = timeoutMs;
    this.#log = log;
  }

  /** Rejects with what the server says where it does not take the subscription. */
  async add(uri: string, server: UpstreamServer): Promise<void> {
    const known = this.#byUri.get(uri);
    if (known !== undefined) {
      known.listeners++;
      return;
    }
    const subscription: Subscription = { server, listeners: 1 };
    this.#byUri.set(uri, subscription);
    try {
      await this.#begin(uri, subscription);
    } catch (error) {
      this.#byUri.delete(uri);
      throw error;
    }
  }

  async remove(uri: string): Promise<void> {
    const subscription = this.#byUri.get(uri);
    if (subscription === undefined || --subscription.listeners > 0) return;
    this.#byUri.delete(uri);
    const { server, stop } = subscription;
    if (stop !== undefined) stop();
    else if (server.current?.era === 'legacy') {
      await server.request({ method: 'resources/unsubscribe', params: { uri } });
    }
  }

  /** A server that was connected to anew knows nothing of earlier subscriptions. */
  renew(server: UpstreamServer): void {
    for (const [uri, subscription] of this.#byUri) {
      if (subscription.server !== server) continue;
      this.#begin(uri, subscription).catch((error: unknown) => {
        this.#log.warn({ server: server.name, uri, error }, 'a subscription could not be renewed');
      });
    }
  }

  async #begin(uri: string, subscription: Subscription): Promise<void> {
    const { server } = subscription;
    const connection = await server.connect();
    if (connection.era === 'legacy') {
      delete subscription.stop;
      await server.request({ method: 'resources/subscribe', params: { uri } });
      return;
    }
    subscription.stop = await connection.listen({ resourceSubscriptions: [uri] }, this.#timeoutMs);
  }
}
