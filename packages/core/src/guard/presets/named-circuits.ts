import type { CircuitOptions } from '../breaker/circuit-options.ts';

/** Circuits that come with Holdfast. */
export type NamedCircuit =
  | 'github:search'
  | 'github:content'
  | 'github:pulls'
  | 'lsp:navigation'
  | 'lsp:hierarchy'
  | 'local'
  | 'package';

/** What circuits do beside the named ones: three failures in a row open, two successes close. */
export const NAMED_CIRCUIT_DEFAULTS: CircuitOptions = inARow(3, 2, 30_000);

/** How the named circuits are set. They are not yet in any registry; `createNamedCircuits` makes one. */
export const NAMED_CIRCUITS: Readonly<Record<NamedCircuit, CircuitOptions>> = Object.freeze({
  // Few searches a minute are allowed, so two failures are likely a limit, and it ends within a minute.
  'github:search': inARow(2, 1, 60_000),
  'github:content': inARow(3, 1, 30_000),
  'github:pulls': inARow(3, 1, 30_000),
  // A language server that is starting answers one call and fails the next: one success proves little.
  'lsp:navigation': inARow(3, 2, 30_000),
  // Heavier than navigation: fewer failures are affordable.
  'lsp:hierarchy': inARow(2, 2, 30_000),
  // What is wrong with a file system mostly passes soon.
  local: inARow(3, 1, 15_000),
  package: inARow(3, 1, 30_000),
});

/** Only failures in a row open it; the share of failures does not. */
function inARow(
  consecutiveFailures: number,
  successesToClose: number,
  openForMs: number,
): CircuitOptions {
  return Object.freeze({
    consecutiveFailures,
    successesToClose,
    openForMs,
    failureRatio: Infinity,
    // Longer than any call may take: a probe that times out must still hold its place then.
    probeLeaseMs: 90_000,
  });
}
