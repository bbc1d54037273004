import { lookup } from 'node:dns';
import { buildConnector, Client, errors, request } from 'undici';
import type { Dispatcher } from 'undici';

type Asked = Parameters<typeof request<null>>[1];

/**
 * Connections to one server, one for each request under way. A connection whose response was read to its end is kept
 * for the next request for a while; one that was aborted is closed. The pools of undici connect again after an abort,
 * and keep those connections for ever.
 */
export class ConnectionPool {
  readonly #origin: string;
  readonly #options: Client.Options;
  readonly #all = new Set<Client>();
  /** The one that was used last is used first, so that the others are closed after a burst. */
  readonly #idle: Client[] = [];
  /** How many host names are being looked up. */
  #lookups = 0;
  #isClosed = false;

  constructor(url: string, connectTimeoutMs: number, options: Client.Options) {
    this.#origin = new URL(url).origin;
    const settings: buildConnector.BuildOptions & { readonly highWaterMark: number } = {
      timeout: connectTimeoutMs,
      // One packet may wait in a connection, and no second one.
      highWaterMark: 16_384,
      lookup: (host, settings, callback) => {
        this.#lookups++;
        lookup(host, settings, (...found) => {
          this.#lookups--;
          callback(...found);
        });
      },
    };
    // Shared, because it keeps the TLS sessions.
    const connect = buildConnector(settings);
    this.#options = { ...options, connect, keepAliveMaxTimeout: LONGEST_IDLE_MS };
  }

  async request(url: string, asked: Asked): Promise<Dispatcher.ResponseData> {
    if (this.#isClosed) throw new errors.ClientDestroyedError();
    const client = this.#idle.pop() ?? this.#open();
    try {
      const response = await request(url, { ...asked, dispatcher: client });
      const { body } = response;
      body.once('close', () => {
        if (body.readableEnded && client.stats.connected) this.#idle.push(client);
        else this.#drop(client);
      });
      return response;
    } catch (error) {
      this.#drop(client);
      if (!(error instanceof errors.ConnectTimeoutError) || this.#lookups === 0) throw error;
      const message = 'the host name was not found in time';
      throw Object.assign(new Error(message, { cause: error }), { code: 'EAI_AGAIN' });
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#all].map((client) => client.destroy()));
  }

  #open(): Client {
    const client = new Client(this.#origin, this.#options);
    this.#all.add(client);
    client.on('disconnect', () => {
      const at = this.#idle.indexOf(client);
      if (at < 0) return;
      this.#idle.splice(at, 1);
      this.#drop(client);
    });
    return client;
  }

  #drop(client: Client): void {
    this.#all.delete(client);
    void client.destroy();
  }
}

/** However long a server offers to keep a connection open. */
const LONGEST_IDLE_MS = 30_000;
