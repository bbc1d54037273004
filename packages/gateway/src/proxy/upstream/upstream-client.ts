import { Agent, request } from 'undici';
import type { Dispatcher } from 'undici';
import type { UpstreamConfig } from '../../config/gateway-config.ts';

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
  readonly #agent: Agent;

  constructor(config: UpstreamConfig) {
    this.config = config;
    this.#agent = new Agent({
      connect: { timeout: config.connectTimeoutMs },
      headersTimeout: config.firstByteTimeoutMs,
      bodyTimeout: config.idleTimeoutMs,
      connections: MOST_CONNECTIONS,
    });
  }

  async ask({ method, path, headers, body, signal }: UpstreamRequest): Promise<UpstreamAnswer> {
    return request(this.config.url + path, {
      method,
      // What comes compressed could not be passed on as it comes.
      headers: { ...headers, 'accept-encoding': 'identity' },
      body: body ?? null,
      signal,
      dispatcher: this.#agent,
    });
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
  }
}

const MOST_CONNECTIONS = 1024;
