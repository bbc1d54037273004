import type { Dispatcher } from 'undici';
import type { UpstreamConfig } from '../../config/gateway-config.ts';
import { ConnectionPool } from './connection-pool.ts';
import { UpstreamGuard } from './upstream-guard.ts';
import type { UpstreamEnvironment } from './upstream-guard.ts';

export type UpstreamAnswer = Dispatcher.ResponseData;

export interface UpstreamRequest {
  readonly method: string;
  /** Behind the upstream's URL: `/chat/completions`, with its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | undefined;
  /** Aborts the request: the client has gone. */
  readonly signal: AbortSignal;
}

/** Asks one upstream, over connections that are kept. Redirects are not followed: they would take the key along. */
export class UpstreamClient {
  readonly config: UpstreamConfig;
  /** Says whether it may be asked at all. */
  readonly guard: UpstreamGuard;
  readonly #connections: ConnectionPool;

  constructor(config: UpstreamConfig, environment: UpstreamEnvironment = {}) {
    this.config = config;
    this.guard = new UpstreamGuard(config, environment);
    this.#connections = new ConnectionPool(config.url, config.connectTimeoutMs, {
      headersTimeout: config.firstByteTimeoutMs,
      bodyTimeout: config.idleTimeoutMs,
    });
  }

  async ask(asked: UpstreamRequest): Promise<UpstreamAnswer> {
    return this.#request(asked);
  }

  /** Asks without limits of time but that for the connection: whoever asks watches over the rest. */
  async askWatched(asked: UpstreamRequest): Promise<UpstreamAnswer> {
    return this.#request(asked, NO_TIMEOUTS);
  }

  async close(): Promise<void> {
    this.guard.close();
    await this.#connections.close();
  }

  async #request(
    { method, path, headers, body, signal }: UpstreamRequest,
    timeouts: { readonly headersTimeout?: 0; readonly bodyTimeout?: 0 } = {},
  ): Promise<UpstreamAnswer> {
    return this.#connections.request(this.config.url + path, {
      ...timeouts,
      method,
      // What comes compressed could not be passed on as it comes.
      headers: { ...headers, 'accept-encoding': 'identity' },
      body: body ?? null,
      signal,
      highWaterMark: READ_AHEAD_BYTES,
    });
  }
}

const NO_TIMEOUTS = { headersTimeout: 0, bodyTimeout: 0 } as const;

/** What may wait to be read of a response, besides the packet that came last. */
const READ_AHEAD_BYTES = 4096;
