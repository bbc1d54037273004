import type { CircuitBreaker } from '../breaker/circuit-breaker.ts';

/** A sixteenth is made free at a time: looking through all circuits for each new one would take too long. */
const SHARE = 16;

/**
 * The circuits to forget when there are too many: closed ones first, open ones last, of equals those that have
 * not been used for longest. A circuit isolated by hand is never among them, or a flood of made-up names could
 * let calls through to it.
 */
export function leastWorthKeeping<T extends CircuitBreaker>(
  circuits: readonly T[],
  maxCircuits: number,
): readonly T[] {
  const ranked = circuits
    .map((circuit) => ({ circuit, worth: worthOf(circuit), usedAt: circuit.lastUsedAt }))
    .filter(({ worth }) => worth < ISOLATED)
    .sort((a, b) => a.worth - b.worth || a.usedAt - b.usedAt);
  const least = ranked[0]?.worth;
  return ranked
    .slice(0, Math.ceil(maxCircuits / SHARE))
    .filter(({ worth }) => worth === least)
    .map(({ circuit }) => circuit);
}

const WORTH = { closed: 0, 'half-open': 1, open: 2 } as const;
const ISOLATED = 3;

function worthOf(circuit: CircuitBreaker): number {
  const { state } = circuit;
  if (state === 'open' && circuit.metadata().circuit_retry_after_seconds === Infinity)
    return ISOLATED;
  return WORTH[state];
}
