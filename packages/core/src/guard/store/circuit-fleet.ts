import type { CircuitMachine, CircuitState } from '../../internal/circuit-machine.ts';
import type { CircuitSettings } from '../breaker/circuit-options.ts';
import { resolveEnvironment } from '../guard-environment.ts';
import type { ResolvedEnvironment } from '../guard-environment.ts';
import type { Counted } from './call-tally.ts';
import { CIRCUIT_FLEET_DEFAULTS, checkFleetOptions } from './circuit-fleet-options.ts';
import type { CircuitFleetOptions } from './circuit-fleet-options.ts';
import type { CircuitStore, ReplicaRecord, SharedCircuit } from './circuit-store.ts';
import { FleetCircuit } from './fleet-circuit.ts';
import type { FleetHome } from './fleet-circuit.ts';
import { FleetSchedule } from './fleet-schedule.ts';
import { Heartbeat } from './heartbeat.ts';
import { StoreLink } from './store-link.ts';

/** How this process sees its fleet. */
export interface FleetStatus {
  readonly replica: string;
  /** Whether the store is away; then every circuit does what its `onStoreLoss` says. */
  readonly isDegraded: boolean;
  /** Why the store is taken for lost. */
  readonly reason: string | undefined;
  /** Replicas that there were when the store last said. */
  readonly replicas: number;
  /** The circuits of this process, in the order in which they joined. */
  readonly circuits: readonly FleetCircuitStatus[];
}

/** A circuit of the fleet, as this process knows it. */
export interface FleetCircuitStatus {
  readonly name: string;
  /** How this process lets calls through. */
  readonly state: CircuitState;
  /** How the fleet stands; undefined until the store has said so. */
  readonly shared: SharedCircuit | undefined;
}

/** After a loss every circuit is asked for within so long, or longer where there are many. */
const LOOK_AGAIN_MS = 500;
/** Names that a replica tells of circuits that are not closed. */
const MOST_NAMES = 50;
/** Circuits that are not closed and remembered before they are used; of more, the oldest are forgotten. */
const MOST_OPEN = 1000;

interface Heard {
  readonly shared: SharedCircuit;
  readonly at: number;
}

/**
 * Joins the circuits of this process with those of others through a store. No call ever waits for it: circuits let
 * calls through by what they know, and the store is told and asked in the background.
 */
export class CircuitFleet implements FleetHome {
  readonly replica: string;
  readonly store: CircuitStore;
  readonly environment: ResolvedEnvironment;
  readonly link: StoreLink;
  readonly freshMs: number;
  readonly #schedule: FleetSchedule;
  readonly #heartbeat: Heartbeat;
  /** By name: two registries of one process may have a circuit of the same name, which is one circuit of the fleet. */
  readonly #members = new Map<string, readonly FleetCircuit[]>();
  /** Circuits of the fleet that are not closed, as far as was heard. */
  readonly #open = new Map<string, Heard>();
  readonly #registries = new Set<(name: string) => void>();
  readonly #startedAt: number;
  readonly #version: string;
  readonly #tokenPrefix: string;
  #tokens = 0;
  #calls = 0;
  #failures = 0;
  #closing: Promise<void> | undefined;
  #isClosed = false;
  #stopWatching: (() => Promise<void>) | undefined;
  #isWatching = false;

  constructor(options: CircuitFleetOptions) {
    checkFleetOptions(options);
    const settings = { ...CIRCUIT_FLEET_DEFAULTS, ...given(options) };
    const { storeTimeoutMs, heartbeatMs, flushMs, maxCommandsPerSecond } = settings;
    this.environment = resolveEnvironment(options);
    this.store = options.store;
    const salt = this.#randomText();
    this.replica = options.replica ?? salt;
    this.#tokenPrefix = options.replica === undefined ? salt : `${options.replica}:${salt}`;
    this.#version = settings.version;
    this.#startedAt = this.environment.clock.wallTime();
    this.freshMs = flushMs[1];
    this.link = new StoreLink(this.replica, storeTimeoutMs, this.environment, {
      lost: () => {
        this.#lost();
      },
      stirred: () => {
        this.#schedule.stirred();
      },
      found: () => {
        this.#found();
      },
    });
    this.#heartbeat = new Heartbeat(this, heartbeatMs, () => this.#record());
    const pace = { flushMs, maxCommandsPerSecond };
    this.#schedule = new FleetSchedule(this.environment, pace, this.link, this.#heartbeat);
    this.#watch();
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  status(): FleetStatus {
    const now = this.now();
    const circuits = [...this.#members.values()].flat();
    return {
      replica: this.replica,
      isDegraded: this.link.isDegraded,
      reason: this.link.reason,
      replicas: this.#heartbeat.replicas,
      circuits: circuits.map(({ name, machine, shared }) => ({
        name,
        state: machine.stateAt(now),
        shared,
      })),
    };
  }

  /** A circuit's place in the fleet. `Circuits` asks for it. */
  seat(
    name: string,
    circuit: { readonly settings: CircuitSettings },
    machine: CircuitMachine,
  ): FleetCircuit {
    return new FleetCircuit(name, this, circuit, machine);
  }

  /**
   * Asks the store for the circuits that are not closed, so that their first call here is refused too. Never rejects,
   * and takes no longer than `storeTimeoutMs`. Later news come by themselves.
   */
  load(): Promise<void> {
    return new Promise((resolve) => {
      const { store } = this;
      if (store.notClosed === undefined || this.#isClosed) {
        resolve();
        return;
      }
      this.link.ask(() => store.notClosed?.() ?? Promise.resolve([]), {
        answered: (circuits) => {
          for (const { name, shared } of circuits) this.#news(name, shared);
          resolve();
        },
        failed: resolve,
        timedOut: resolve,
      });
    });
  }

  /** Calls `make` with the name of every circuit that is not closed, now and later. Returns what ends that. */
  enlist(make: (name: string) => void): () => void {
    this.#registries.add(make);
    for (const name of [...this.#open.keys()]) make(name);
    return () => void this.#registries.delete(make);
  }

  /**
   * Tells the store what it has not heard yet, and leaves. The circuits go on by themselves. However the store is, it
   * takes no longer than three times `storeTimeoutMs`.
   */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#schedule.stop();
    // What is under way may have to be told again, with what came since.
    await this.link.idle();
    const circuits = [...this.#members.values()].flat();
    for (const circuit of circuits) circuit.retire();
    if (!this.link.isDegraded) this.#schedule.flush();
    await this.link.idle();
    this.#isClosed = true;
    for (const { machine } of circuits) machine.goAlone();
    if (!this.link.isDegraded) this.link.ask(() => this.store.leave(this.replica), NOBODY);
    const stop = this.#stopWatching;
    if (stop !== undefined) this.link.ask(stop, NOBODY);
    await this.link.idle();
    this.link.close();
  }

  now(): number {
    return this.environment.clock.now();
  }

  random(): number {
    return this.environment.random();
  }

  nextToken(): string {
    return `${this.#tokenPrefix}:${++this.#tokens}`;
  }

  stretched(ms: number): number {
    return Math.max(ms, this.#schedule.leastIntervalMs);
  }

  activate(circuit: FleetCircuit, at: number): void {
    if (!this.#isClosed) this.#schedule.add(circuit, at);
  }

  counted({ calls, failures }: Counted): void {
    this.#calls += calls;
    this.#failures += failures;
  }

  join(circuit: FleetCircuit): void {
    const others = this.#members.get(circuit.name) ?? [];
    this.#members.set(circuit.name, [...others.filter((one) => one !== circuit), circuit]);
    const heard = this.#open.get(circuit.name);
    if (heard !== undefined) circuit.recall(heard.shared, heard.at);
  }

  leave(circuit: FleetCircuit): void {
    this.#schedule.remove(circuit);
    const { shared } = circuit;
    if (shared !== undefined) this.remember(circuit.name, shared);
    const others = this.#members.get(circuit.name)?.filter((one) => one !== circuit) ?? [];
    if (others.length > 0) this.#members.set(circuit.name, others);
    else this.#members.delete(circuit.name);
  }

  #news(name: string, shared: SharedCircuit): void {
    for (const circuit of this.#members.get(name) ?? []) circuit.news(shared);
    this.remember(name, shared);
  }

  remember(name: string, shared: SharedCircuit): void {
    const known = this.#open.get(name);
    if (known !== undefined && known.shared.version > shared.version) return;
    this.#open.delete(name);
    if (shared.state === 'closed') return;
    if (this.#open.size >= MOST_OPEN) {
      const left = [...this.#open].find(([, heard]) => heard.shared.reason !== 'isolated');
      if (left === undefined) return;
      this.#open.delete(left[0]);
    }
    this.#open.set(name, { shared, at: this.now() });
    if (known?.shared.version !== shared.version)
      for (const make of [...this.#registries]) make(name);
  }

  #lost(): void {
    for (const circuits of this.#members.values()) for (const circuit of circuits) circuit.lost();
    this.#schedule.lost();
  }

  #found(): void {
    this.#lookAgain();
    void this.load();
    this.#schedule.found();
    this.#watch();
  }

  /** The store is asked for all circuits, also for those that nobody calls: what was told meanwhile got lost. */
  #lookAgain(): void {
    const circuits = [...this.#members.values()].flat();
    const withinMs = Math.max(LOOK_AGAIN_MS, this.#schedule.roundMs(circuits.length));
    for (const circuit of circuits) circuit.lookAgain(withinMs);
  }

  /** News come sooner where the store can tell them; where it cannot now, it is asked again after the next loss. */
  #watch(): void {
    if (this.#isWatching || this.store.watch === undefined) return;
    this.#isWatching = true;
    const { store } = this;
    const listener = (name: string, shared: SharedCircuit): void => {
      this.#news(name, shared);
    };
    this.link.ask(() => store.watch?.(listener) ?? Promise.resolve(undefined), {
      answered: (stop) => {
        this.#stopWatching = stop;
        // It came too late for `close` to end it.
        if (this.#isClosed) void stop?.().catch(() => undefined);
        this.#lookAgain();
      },
      failed: () => {
        this.#isWatching = false;
      },
    });
  }

  #record(): ReplicaRecord {
    const now = this.now();
    const circuits = [...this.#members.values()].flat();
    const notClosed = circuits.filter(({ machine }) => machine.stateAt(now) !== 'closed');
    return {
      id: this.replica,
      startedAt: this.#startedAt,
      notClosed: notClosed.slice(0, MOST_NAMES).map(({ name }) => name),
      circuits: circuits.length,
      calls: this.#calls,
      failures: this.#failures,
      version: this.#version,
    };
  }

  #randomText(): string {
    const parts = Array.from({ length: 2 }, () => Math.floor(this.environment.random() * 2 ** 32));
    return parts.map((part) => part.toString(16).padStart(8, '0')).join('');
  }
}

/** Whatever the store says of it, nothing follows. */
const NOBODY = { answered: () => undefined, failed: () => undefined };

function given<T extends object>(options: T): Partial<T> {
  const entries = Object.entries(options).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Partial<T>;
}
