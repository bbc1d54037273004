import type { CircuitOptions } from '../breaker/circuit-options.ts';

/**
 * What the circuit of a server does, over the defaults. One tool that fails must not lock out the others: its
 * own circuit opens after five failures and lets one probe a minute through, which is nine failures in five
 * minutes. A server's circuit needs ten, and eight of ten calls to fail. Errors that a tool reports itself show
 * that its server is alive.
 */
export const SERVER_CIRCUIT: CircuitOptions = Object.freeze({
  consecutiveFailures: Infinity,
  failureRatio: 0.8,
  windowMs: 300_000,
  minCalls: 12,
  counts: Object.freeze({ 'tool-error': false }),
});

/** What the circuit of a provider does: as that of a server, and one server that fails is not enough. */
export const PROVIDER_CIRCUIT: CircuitOptions = Object.freeze({ ...SERVER_CIRCUIT, minCalls: 30 });
