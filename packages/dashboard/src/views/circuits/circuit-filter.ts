import type { ShownState } from '../../parts/shown-state.ts';
import { shownState } from '../../parts/shown-state.ts';
import type { ReceivedCircuit } from './received-circuit.ts';

export type StateFilter = ShownState | 'all';

/** What needs a look comes first. */
const ORDER: readonly ShownState[] = ['open', 'half-open', 'isolated', 'closed'];

/** The circuits that fit: by state, and by words that are all in the name. */
export function filterCircuits(
  circuits: readonly ReceivedCircuit[],
  state: StateFilter,
  search: string,
): readonly ReceivedCircuit[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return circuits
    .filter((circuit) => state === 'all' || shownState(circuit) === state)
    .filter(({ name }) => words.every((word) => name.toLowerCase().includes(word)))
    .sort((a, b) => rank(a) - rank(b) || (a.name < b.name ? -1 : 1));
}

/** How many circuits are in each state. */
export function countStates(
  circuits: readonly ReceivedCircuit[],
): Readonly<Record<StateFilter, number>> {
  const counts = { all: circuits.length, open: 0, 'half-open': 0, isolated: 0, closed: 0 };
  for (const circuit of circuits) counts[shownState(circuit)]++;
  return counts;
}

function rank(circuit: ReceivedCircuit): number {
  return ORDER.indexOf(shownState(circuit));
}
