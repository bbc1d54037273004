/** What a client may cost before it is let in. */
export interface HttpLimits {
  /** Of the request line and all headers together. */
  readonly maxHeaderBytes: number;
  readonly maxHeaders: number;
  /** How long the headers of a request may take to arrive. */
  readonly headersTimeoutMs: number;
  /** How long a whole request may take to arrive. How long its answer takes is not limited here. */
  readonly requestTimeoutMs: number;
  /** How long an unused connection is kept. */
  readonly keepAliveTimeoutMs: number;
  /** How many connections may be idle from which no request was let in, for more than a second or two. */
  readonly maxUnknownConnections: number;
}

/** How often connections are looked through for those whose time is up. */
export const CHECK_EVERY_MS = 2_000;

/**
 * How many may have connected and wait to be heard. Beyond that the system lets them wait for seconds and then resets
 * them, and it takes only a moment in which the process is busy; left to itself, Node asks for 511.
 */
export const MAX_WAITING_CONNECTIONS = 4096;

/** Agents hold a connection while a tool runs; one that closes just then costs them a failed request. */
export const HTTP_LIMITS: HttpLimits = Object.freeze({
  maxHeaderBytes: 32_768,
  maxHeaders: 200,
  headersTimeoutMs: 20_000,
  requestTimeoutMs: 120_000,
  keepAliveTimeoutMs: 75_000,
  maxUnknownConnections: 64,
});
