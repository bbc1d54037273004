import { checkOptions, object } from '../../internal/check-options.ts';
import { systemClock } from '../../internal/clock.ts';
import type { Clock } from '../../internal/clock.ts';
import { CircuitRecord } from './circuit-record.ts';
import type {
  CircuitReport,
  CircuitStore,
  FleetRules,
  LeaseReply,
  LeaseRequest,
  NamedCircuit,
  OverrideCommand,
  ProbeSettlement,
  ReplicaRecord,
  SharedCircuit,
} from './circuit-store.ts';
import { UNKNOWN_CIRCUIT } from './fleet-view.ts';

/** What a store in memory is given. */
export interface MemoryCircuitStoreOptions {
  /** Where time comes from. @defaultValue the system's clock */
  readonly clock?: Clock;
}

interface Kept<T> {
  readonly value: T;
  readonly until: number;
}

type Listener = (circuit: string, shared: SharedCircuit) => void;

/** How often what nobody touched is looked for. */
const SWEEP_EVERY_MS = 60_000;

/** The circuits of a fleet whose replicas live in one process: for tests, and for several gateways in one program. */
export class MemoryCircuitStore implements CircuitStore {
  readonly #clock: Clock;
  /** The store's time begins with the wall's and goes on by the clock that never goes back. */
  readonly #epoch: number;
  readonly #records = new Map<string, Kept<CircuitRecord>>();
  readonly #replicas = new Map<string, Kept<ReplicaRecord>>();
  readonly #listeners = new Set<Listener>();
  #sweptAt = 0;

  constructor(options: MemoryCircuitStoreOptions = {}) {
    checkOptions(options, { clock: object }, 'memory store');
    this.#clock = options.clock ?? systemClock;
    this.#epoch = this.#clock.wallTime() - this.#clock.now();
  }

  report(circuit: string, report: CircuitReport): Promise<SharedCircuit> {
    const now = this.#now();
    const { version, held, replica, rules } = report;
    const known = this.#get(this.#records, circuit);
    // A record that is older than what a replica has seen is what a store found of itself after a loss.
    const isLost = known === undefined || known.version < version;
    let record = known;
    if (record === undefined || isLost)
      record =
        held === undefined
          ? new CircuitRecord(version)
          : CircuitRecord.restored(held, version, replica, now);
    return this.#touch(circuit, record, rules, known?.version ?? version, () => {
      record.report(report, now);
    });
  }

  async lease(circuit: string, request: LeaseRequest): Promise<LeaseReply> {
    const record = this.#get(this.#records, circuit);
    if (record === undefined) return { granted: false, shared: UNKNOWN_CIRCUIT };
    let granted = false;
    const shared = await this.#touch(circuit, record, request.rules, record.version, () => {
      granted = record.lease(request, this.#now());
    });
    return { granted, shared };
  }

  settle(circuit: string, settlement: ProbeSettlement): Promise<SharedCircuit> {
    const record = this.#get(this.#records, circuit);
    if (record === undefined) return Promise.resolve(UNKNOWN_CIRCUIT);
    return this.#touch(circuit, record, settlement.rules, record.version, () => {
      record.settle(settlement, this.#now());
    });
  }

  override(circuit: string, command: OverrideCommand): Promise<SharedCircuit> {
    const record = this.#get(this.#records, circuit) ?? new CircuitRecord(0);
    return this.#touch(circuit, record, undefined, record.version, () => {
      record.override(command, this.#now());
    });
  }

  join(replica: ReplicaRecord, ttlMs: number): Promise<number> {
    this.#replicas.set(replica.id, { value: replica, until: this.#now() + ttlMs });
    sweep(this.#replicas, this.#now());
    return Promise.resolve(this.#replicas.size);
  }

  leave(replica: string): Promise<void> {
    this.#replicas.delete(replica);
    return Promise.resolve();
  }

  replicas(): Promise<readonly ReplicaRecord[]> {
    sweep(this.#replicas, this.#now());
    const records = [...this.#replicas.values()].map(({ value }) => value);
    return Promise.resolve(records.sort((a, b) => (a.id < b.id ? -1 : 1)));
  }

  notClosed(): Promise<readonly NamedCircuit[]> {
    const now = this.#now();
    sweep(this.#records, now);
    const all = [...this.#records].map(([name, { value: record }]) => {
      record.moveTo(now);
      return { name, shared: record.sharedAt(now) };
    });
    return Promise.resolve(all.filter(({ shared }) => shared.state !== 'closed'));
  }

  watch(listener: Listener): Promise<() => Promise<void>> {
    this.#listeners.add(listener);
    return Promise.resolve(() => {
      this.#listeners.delete(listener);
      return Promise.resolve();
    });
  }

  /** Forgets everything, as a store does that is started anew. */
  clear(): void {
    this.#records.clear();
    this.#replicas.clear();
  }

  /** How long a circuit is kept if nobody touches it; 0 where there is none. */
  keptForMs(circuit: string): number {
    const kept = this.#records.get(circuit);
    return kept === undefined ? 0 : Math.max(0, kept.until - this.#now());
  }

  /** Does one step and tells of it where it was a transition. Nothing comes between: no step waits. */
  #touch(
    circuit: string,
    record: CircuitRecord,
    rules: FleetRules | undefined,
    before: number,
    step: () => void,
  ): Promise<SharedCircuit> {
    const now = this.#now();
    record.moveTo(now);
    step();
    this.#records.set(circuit, { value: record, until: now + record.keptForMs(now) });
    this.#sweepWhenDue(now);
    const shared = record.sharedAt(now, rules);
    if (record.version !== before)
      for (const listener of [...this.#listeners]) listener(circuit, shared);
    return Promise.resolve(shared);
  }

  #get<T>(kept: ReadonlyMap<string, Kept<T>>, name: string): T | undefined {
    const entry = kept.get(name);
    return entry !== undefined && entry.until > this.#now() ? entry.value : undefined;
  }

  #now(): number {
    return this.#epoch + this.#clock.now();
  }

  #sweepWhenDue(now: number): void {
    if (now - this.#sweptAt < SWEEP_EVERY_MS) return;
    this.#sweptAt = now;
    sweep(this.#records, now);
  }
}

function sweep(kept: Map<string, Kept<unknown>>, now: number): void {
  for (const [name, { until }] of kept) if (until <= now) kept.delete(name);
}
