import type { Clock } from '../../internal/clock.ts';
import { createRandom } from '../../testing/create-random.ts';
import { ManualClock } from '../../testing/manual-clock.ts';
import type { CircuitBreaker } from '../breaker/circuit-breaker.ts';
import { fail, succeed } from '../breaker/breaker-under-test.case.ts';
import type { CircuitOptions } from '../breaker/circuit-options.ts';
import { Circuits } from '../circuits.ts';
import type { GuardEvent } from '../guard-event.ts';
import { CircuitFleet } from './circuit-fleet.ts';
import type { CircuitFleetOptions } from './circuit-fleet-options.ts';
import { FaultyStore } from './faulty-store.case.ts';
import { MemoryCircuitStore } from './memory-circuit-store.ts';

/** A process of the fleet. */
export interface Replica {
  readonly fleet: CircuitFleet;
  readonly circuits: Circuits;
  readonly store: FaultyStore;
  readonly events: GuardEvent[];
  /** Its circuit `search`. */
  readonly circuit: CircuitBreaker;
}

export interface FleetUnderTest {
  readonly clock: ManualClock;
  readonly store: MemoryCircuitStore;
  readonly replicas: readonly Replica[];
  /** The circuits called `search`, of every replica. */
  readonly circuits: readonly CircuitBreaker[];
  readonly states: () => string;
  /** Long enough for all to tell and to hear. */
  readonly hear: () => Promise<void>;
}

export interface FleetTest {
  readonly replicas?: number;
  readonly options?: CircuitOptions;
  readonly fleet?: Partial<CircuitFleetOptions>;
  /** How a replica's clocks differ from the store's. */
  readonly skew?: (at: number) => { readonly nowMs: number; readonly wallMs: number };
}

/** Replicas that share a store in memory, on a clock that stands still. */
export function fleetWith(test: FleetTest = {}): FleetUnderTest {
  const clock = new ManualClock();
  const store = new MemoryCircuitStore({ clock });
  const replicas = Array.from({ length: test.replicas ?? 3 }, (_, at) =>
    replicaWith(test, at, store, clock),
  );
  const circuits = replicas.map(({ circuit }) => circuit);
  return {
    clock,
    store,
    replicas,
    circuits,
    states: () => circuits.map(({ state }) => state).join(' '),
    hear: () => clock.advance(2500),
  };
}

export function replicaWith(
  { options = {}, fleet: given = {}, skew }: FleetTest,
  at: number,
  memory: MemoryCircuitStore,
  manual: ManualClock,
): Replica {
  const clock = skew === undefined ? manual : skewed(manual, skew(at));
  const store = new FaultyStore(memory, manual);
  const events: GuardEvent[] = [];
  const onEvent = (event: GuardEvent): void => void events.push(event);
  const random = createRandom(at + 1);
  const fleet = new CircuitFleet({ store, replica: `r${at}`, clock, random, onEvent, ...given });
  const circuits = new Circuits({ fleet, defaults: options, onEvent });
  return { fleet, circuits, store, events, circuit: circuits.get('search') };
}

/** Calls until the replica has told that they all failed, or went well. */
export function failAt({ circuit }: Replica, times: number): void {
  fail(circuit, times);
}

export function succeedAt({ circuit }: Replica, times: number): void {
  succeed(circuit, times);
}

export function typesOf(events: readonly GuardEvent[]): string[] {
  return events.map(({ type }) => type);
}

function skewed(clock: ManualClock, by: { nowMs: number; wallMs: number }): Clock {
  return {
    now: () => clock.now() + by.nowMs,
    wallTime: () => clock.wallTime() + by.wallMs,
    setTimer: (callback, delayMs) => clock.setTimer(callback, delayMs),
  };
}
