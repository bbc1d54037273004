import type { McpHub } from '../hub/mcp-hub.ts';

/** The resources that one client listens to, or one request of it. */
export class ClientSubscriptions {
  readonly #hub: Pick<McpHub, 'subscribe'>;
  /** From the moment that the client asks, with what ends it. */
  readonly #byUri = new Map<string, Promise<() => Promise<void>>>();

  constructor(hub: Pick<McpHub, 'subscribe'>) {
    this.#hub = hub;
  }

  has(uri: string): boolean {
    return this.#byUri.has(uri);
  }

  /** Rejects with what the server says where it does not take the subscription. */
  async add(uri: string): Promise<void> {
    const begun = this.#byUri.get(uri) ?? this.#hub.subscribe(uri);
    this.#byUri.set(uri, begun);
    try {
      await begun;
    } catch (error) {
      if (this.#byUri.get(uri) === begun) this.#byUri.delete(uri);
      throw error;
    }
  }

  async remove(uri: string): Promise<void> {
    const begun = this.#byUri.get(uri);
    this.#byUri.delete(uri);
    const stop = await begun?.catch(() => undefined);
    await stop?.();
  }

  /** The client has gone; what servers say to that is of no interest. */
  clear(): void {
    for (const uri of [...this.#byUri.keys()]) this.remove(uri).catch(() => undefined);
  }
}
