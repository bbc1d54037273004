import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from '../log/logger.ts';
import type { Redactor } from '../redact/redactor.ts';
import type { BodyLimit } from './body-limit.ts';
import type { TokenHeader } from './token-check.ts';

/** One request to the gateway, let in by host, origin and token, and what answers it. */
export interface HttpExchange {
  /** In the logs and in `x-request-id`. */
  readonly id: string;
  readonly method: string;
  /** The path as it was sent, before the `?`; never put together from the Host header. */
  readonly path: string;
  /** From the `?` on; '' without one. */
  readonly query: string;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly log: Logger;
  /** Knows the secrets of the configuration and those of this request. */
  readonly redactor: Redactor;
  /** Request headers that are for the gateway, as they hold its token: no upstream may see them. */
  readonly tokenHeaders?: readonly TokenHeader[];
  /**
   * Aborts when the client goes away (the reason is a `ClientGoneError`), or when a shutdown has waited long
   * enough (a `RequestError`, of which the client can still be told).
   */
  readonly signal: AbortSignal;
  /**
   * The body; rejects with a `RequestError` of status 413 before it reads more than the limit. What `onChunk` throws
   * ends the reading, too.
   */
  readonly readBody: (limit: BodyLimit, onChunk?: (chunk: Buffer) => void) => Promise<Buffer>;
}

/** Answers the requests of some path. */
export type HttpHandler = (exchange: HttpExchange) => Promise<void>;

export interface Route {
  /** `*` for any. */
  readonly method: string;
  /** Exact, or a prefix where it ends in `/*`. The first route that fits is taken. */
  readonly path: string;
  /** `any` takes bodies other than JSON, such as uploads that are passed on. Default `json`. */
  readonly bodies?: 'json' | 'any';
  /** Needs no token, and links on pages of others may lead to it: for what tells nothing. Default false. */
  readonly isOpen?: boolean;
  readonly handle: HttpHandler;
}
