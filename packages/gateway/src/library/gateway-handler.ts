import type { IncomingMessage, ServerResponse } from 'node:http';

/** Answers requests that somebody else listens for, as a server of `node:http` hands them over. */
export interface GatewayHandler {
  (request: IncomingMessage, response: ServerResponse): void;
  /** Whether there is anything at the path of a request. */
  readonly owns: (request: IncomingMessage) => boolean;
  /** Takes no more requests, and resolves when those that run are done or their time is up. */
  readonly close: () => Promise<void>;
}
