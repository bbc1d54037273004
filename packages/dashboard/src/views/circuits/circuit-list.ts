import { computed } from '@preact/signals';
import type { Circuit } from '../../api/api-types.ts';
import { Resource } from '../../api/resource.ts';
import { onEvents } from '../../live/connection.ts';
import { shownState } from '../../parts/shown-state.ts';
import { receiveCircuit } from './received-circuit.ts';
import type { ReceivedCircuit } from './received-circuit.ts';
import { applyTransition } from './apply-transition.ts';

/** Events after which counts and timelines have changed. */
export const CIRCUIT_EVENTS = [
  'call-ended',
  'turn-ended',
  'circuit-opened',
  'circuit-half-opened',
  'circuit-closed',
  'circuit-refused',
  'circuits-removed',
  'server-changed',
];

interface CircuitsAnswer {
  readonly circuits: readonly Circuit[];
}

/** A thousand circuits are a large answer: the more there are, the less often all are fetched. */
const everyMs = (answer: CircuitsAnswer | undefined): number =>
  Math.min(5000, Math.max(800, (answer?.circuits.length ?? 0) * 4));

/** All circuits. Transitions are shown as they are told, the rest with the next answer. */
export const circuits = new Resource<CircuitsAnswer>(() => '/api/v1/circuits', {
  staleOn: CIRCUIT_EVENTS,
  everyMs,
});

onEvents((events) => {
  const transitions = events.filter(({ type }) => TRANSITIONS.has(type));
  if (transitions.length === 0) return;
  circuits.patch(({ circuits: known }) => ({
    circuits: transitions.reduce(applyTransition, known),
  }));
});

const TRANSITIONS = new Set(['circuit-opened', 'circuit-half-opened', 'circuit-closed']);

/** The circuits as they came, each with its time on the clock of this machine. */
export const receivedCircuits = computed((): readonly ReceivedCircuit[] | undefined =>
  circuits.value.value?.circuits.map(receiveCircuit),
);

export const notClosed = computed(
  () => circuits.value.value?.circuits.filter((each) => shownState(each) !== 'closed').length ?? 0,
);
