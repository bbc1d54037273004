import type {
  CircuitRules,
  CircuitState,
  TransitionReason,
} from '../../internal/circuit-machine.ts';

/**
 * Where a fleet keeps its circuits. Every call of it is about one circuit and is one step that happens wholly or
 * not at all; times are those of the store, and what it tells of them is how much is left. No call waits for
 * it: `CircuitFleet` asks it in the background, so it may be slow, wrong or away.
 */
export interface CircuitStore {
  /** Adds what a replica counted, opens the circuit where the fleet's counts say so, and tells how it stands. */
  report(circuit: string, report: CircuitReport): Promise<SharedCircuit>;
  /** Asks for the right to make one probe, or to keep the one that `token` holds for longer. */
  lease(circuit: string, request: LeaseRequest): Promise<LeaseReply>;
  /** Tells how a probe ended. Nothing happens where its lease has run out or the circuit has moved on. */
  settle(circuit: string, settlement: ProbeSettlement): Promise<SharedCircuit>;
  /** What an operator wants of the circuit, whatever its counts say. */
  override(circuit: string, command: OverrideCommand): Promise<SharedCircuit>;
  /** Says that a replica is there, and hears how many there are. A replica that says nothing for `ttlMs` is gone. */
  join(replica: ReplicaRecord, ttlMs: number): Promise<number>;
  leave(replica: string): Promise<void>;
  /** The replicas that are there, in order of their ids. For people, not for every second. */
  replicas(): Promise<readonly ReplicaRecord[]>;
  /** The circuits that are not closed, for a replica that starts. A store without it is asked with the first call. */
  notClosed?(): Promise<readonly NamedCircuit[]>;
  /**
   * Tells of transitions as soon as they happen, those of other replicas and our own. It may lose some: it makes
   * the news come sooner, and whoever does without gets them with the next report.
   */
  watch?(listener: (circuit: string, shared: SharedCircuit) => void): Promise<() => Promise<void>>;
}

/** The rules that the counts of a fleet are held against: those of the replica that tells of them. */
export type FleetRules = Pick<
  CircuitRules,
  | 'consecutiveFailures'
  | 'failureRatio'
  | 'slowCallRatio'
  | 'windowMs'
  | 'minCalls'
  | 'openForMs'
  | 'openForGrowth'
  | 'maxOpenForMs'
  | 'probes'
  | 'successesToClose'
>;

/** What a replica tells of a circuit. */
export interface CircuitReport {
  readonly replica: string;
  readonly rules: FleetRules;
  /** Whether the fleet may open by what is reported. `local`: it is only counted. */
  readonly scope: 'local' | 'fleet';
  /** What was counted since the last report that got through. */
  readonly calls: number;
  readonly failures: number;
  readonly slow: number;
  /** Failures since the last success among these; all of them where there was none. */
  readonly trailingFailures: number;
  /** Why the replica's own gate opened since the last report. The fleet opens too where its counts agree. */
  readonly trip?: TransitionReason;
  /** How long a server asked to be left alone; where the fleet opens, it is for no less. */
  readonly retryAfterMs?: number;
  /**
   * The last version the replica has seen; 0 before the first. Where the store's is newer, what was counted
   * belongs to an earlier state and is left out, except of a replica that has seen none. Where the store's is older, or
   * there is none, it has lost what there was: it goes by `held`, and without one the circuit is closed.
   */
  readonly version: number;
  /** What the replica holds of the fleet's state, for a store that has lost it. Only where it is not closed. */
  readonly held?: HeldCircuit;
  /** Tokens that retries took and successes gave back since the last report. */
  readonly tokensTaken: number;
  readonly tokensGained: number;
  /** Tokens of a full budget. */
  readonly tokenCapacity: number;
}

/** A fleet's state that is not closed, as a replica knows it. */
export interface HeldCircuit {
  readonly state: 'open' | 'half-open';
  /** How much of the open time is left; Infinity for one that an operator has to end. */
  readonly openForMs: number;
  readonly openings: number;
  readonly reason: TransitionReason;
  readonly note?: string;
}

/** How a circuit of the fleet stands. */
export interface SharedCircuit {
  /**
   * Grows with every transition, and is never reused: at least one more than the last, and at least the store's
   * time in milliseconds, so that a store that lost everything does not begin again with what was there before.
   */
  readonly version: number;
  readonly state: CircuitState;
  /** How much of the open time is left; 0 where it is not open, Infinity where an operator has to end it. */
  readonly openForMs: number;
  /** How often it opened since it was last closed. */
  readonly openings: number;
  /** Why it is in this state; undefined where it never was in another. */
  readonly reason: TransitionReason | undefined;
  readonly note: string | undefined;
  /** The replica whose word led to it. */
  readonly replica: string | undefined;
  /** What the fleet counted within the window, in the generation that runs. */
  readonly calls: number;
  readonly failures: number;
  readonly slow: number;
  /** Tokens for retries that the fleet has left; told in answer to a report, which says how many fit. */
  readonly tokens: number;
  /** How long until a probe's place is free; 0 where one is, or where none is needed. */
  readonly probeInMs: number;
}

/** A circuit of the fleet by its name. */
export interface NamedCircuit {
  readonly name: string;
  readonly shared: SharedCircuit;
}

/** A replica asks to make the probe of a circuit. */
export interface LeaseRequest {
  readonly replica: string;
  /** Made by the replica, of its own for every probe. */
  readonly token: string;
  readonly ttlMs: number;
  readonly rules: FleetRules;
}

/** Whether a replica may make the probe, and how the circuit stands. */
export interface LeaseReply {
  readonly granted: boolean;
  readonly shared: SharedCircuit;
}

/** How the probe of a replica went. */
export interface ProbeSettlement {
  readonly replica: string;
  readonly token: string;
  /** `ignored` gives the place back: the probe was not made, or says nothing about the tool. */
  readonly outcome: 'success' | 'failure' | 'slow' | 'ignored';
  readonly retryAfterMs?: number;
  readonly rules: FleetRules;
}

/** What an operator does with a circuit of the fleet. */
export type OverrideCommand =
  | {
      readonly type: 'isolate';
      readonly replica: string;
      readonly note: string;
      /** Infinity until somebody resets it. */
      readonly forMs: number;
    }
  | { readonly type: 'reset'; readonly replica: string; readonly note?: string };

/** A replica as it tells of itself. */
export interface ReplicaRecord {
  readonly id: string;
  /** When it began, in milliseconds since 1970 by its own clock. */
  readonly startedAt: number;
  /** Its circuits whose own gate is not closed, at most 50 names. */
  readonly notClosed: readonly string[];
  readonly circuits: number;
  readonly calls: number;
  readonly failures: number;
  readonly version: string;
}
