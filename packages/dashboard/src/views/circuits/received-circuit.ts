import type { Circuit } from '../../api/api-types.ts';

/** A circuit with the time it becomes half-open, on this machine's clock; undefined where it does not. */
export interface ReceivedCircuit extends Circuit {
  readonly halfOpenAt: number | undefined;
}

const received = new WeakMap<Circuit, ReceivedCircuit>();

/**
 * Clocks of two machines differ, so the time that is left is counted from when it was heard. The same answer
 * gives the same object: it is heard once.
 */
export function receiveCircuit(circuit: Circuit): ReceivedCircuit {
  const known = received.get(circuit);
  if (known !== undefined) return known;
  const { state, retry_after_seconds: left } = circuit;
  const halfOpenAt = state === 'open' && left !== null ? Date.now() + left * 1000 : undefined;
  const made = { ...circuit, halfOpenAt };
  received.set(circuit, made);
  return made;
}
