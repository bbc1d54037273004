import { openTimeMs } from '../../internal/circuit-machine.ts';
import type { CircuitState, TransitionReason } from '../../internal/circuit-machine.ts';
import type {
  CircuitReport,
  FleetRules,
  HeldCircuit,
  LeaseRequest,
  OverrideCommand,
  ProbeSettlement,
  SharedCircuit,
} from './circuit-store.ts';
import { FleetCounts } from './fleet-counts.ts';

/** How long a record stays that nobody touches, beyond what it still promises. */
const IDLE_MS = 600_000;
/** How long an isolation stays that nobody ends and nobody asks for. */
const ISOLATED_MS = 30 * 86_400_000;

/**
 * One circuit of a fleet, as a store keeps it: what the scripts of other stores do with a record is what this
 * does. It is pure: the time of the store comes with every call.
 */
export class CircuitRecord {
  version: number;
  state: CircuitState = 'closed';
  /** Infinity until an operator ends it. */
  #openUntil = 0;
  #openings = 0;
  #reason: TransitionReason | undefined;
  #note: string | undefined;
  #replica: string | undefined;
  #counts = new FleetCounts();
  /** When each probe loses its place, by token. */
  #leases = new Map<string, number>();
  #probeSuccesses = 0;
  #tokens: number | undefined;
  #windowMs = 0;

  constructor(version: number) {
    this.version = version;
  }

  /** The record of a store that had lost it, by what a replica holds. */
  static restored(held: HeldCircuit, version: number, replica: string, now: number): CircuitRecord {
    const record = new CircuitRecord(version);
    record.#become(held.state, held.reason, replica, now, held.note);
    record.#openUntil = now + held.openForMs;
    record.#openings = held.openings;
    return record;
  }

  /** An open time that is over has ended, whoever asks. */
  moveTo(now: number): void {
    if (this.state === 'open' && now >= this.#openUntil)
      this.#become('half-open', 'recovery_timeout_expired', undefined, now);
  }

  report(report: CircuitReport, now: number): void {
    const { rules, replica, trip, retryAfterMs = 0 } = report;
    this.#windowMs = rules.windowMs;
    this.#pay(report);
    // What was counted in an earlier state says nothing about this one. A replica that is new has seen none.
    const isCurrent = report.version >= this.version || report.version === 0;
    if (this.state !== 'closed' || !isCurrent) return;
    this.#counts.add(report, now);
    if (report.scope === 'local') return;
    const forMs = Math.max(openTimeMs(rules, this.#openings), retryAfterMs);
    if (trip !== undefined) this.#counts.tripped(replica, forMs, now);
    const reason = this.#counts.tripReason(report, now);
    if (reason !== undefined) this.#open(reason, replica, forMs, now);
  }

  /** Whether the probe may be made. */
  lease({ token, ttlMs, rules }: LeaseRequest, now: number): boolean {
    this.#windowMs = rules.windowMs;
    if (this.state !== 'half-open') return false;
    this.#dropLeases(now);
    if (!this.#leases.has(token) && this.#leases.size >= rules.probes) return false;
    this.#leases.set(token, now + ttlMs);
    return true;
  }

  settle(settlement: ProbeSettlement, now: number): void {
    const { token, outcome, replica, rules, retryAfterMs = 0 } = settlement;
    this.#windowMs = rules.windowMs;
    this.#dropLeases(now);
    if (this.state !== 'half-open' || !this.#leases.delete(token) || outcome === 'ignored') return;
    if (outcome === 'success') {
      if (++this.#probeSuccesses < rules.successesToClose) return;
      this.#openings = 0;
      this.#become('closed', 'probe_succeeded', replica, now);
      return;
    }
    const forMs = Math.max(openTimeMs(rules, this.#openings), retryAfterMs);
    this.#open(outcome === 'slow' ? 'probe_slow' : 'probe_failed', replica, forMs, now);
  }

  override(command: OverrideCommand, now: number): void {
    if (command.type === 'isolate') {
      this.#become('open', 'isolated', command.replica, now, command.note);
      this.#openUntil = now + command.forMs;
      return;
    }
    this.#openings = 0;
    this.#become('closed', 'reset', command.replica, now, command.note);
  }

  /** How it stands; whether a probe's place is free depends on how many there are. */
  sharedAt(now: number, rules?: FleetRules): SharedCircuit {
    const { calls, failures, slow } = this.#counts.sumsAt(now);
    return {
      version: this.version,
      state: this.state,
      openForMs: this.state === 'open' ? this.#openUntil - now : 0,
      openings: this.#openings,
      reason: this.#reason,
      note: this.#note,
      replica: this.#replica,
      calls,
      failures,
      slow,
      tokens: this.#tokens ?? 0,
      probeInMs: this.#probeInMs(now, rules?.probes ?? 1),
    };
  }

  /** How long it is worth keeping if nobody touches it again. */
  keptForMs(now: number): number {
    const isForGood = this.state === 'open' && this.#openUntil === Infinity;
    if (isForGood) return ISOLATED_MS;
    const openMs = this.state === 'open' ? this.#openUntil - now : 0;
    const leaseMs = Math.max(0, ...[...this.#leases.values()].map((until) => until - now));
    return openMs + leaseMs + this.#windowMs + IDLE_MS;
  }

  #pay({ tokensTaken, tokensGained, tokenCapacity }: CircuitReport): void {
    const tokens = (this.#tokens ?? tokenCapacity) + tokensGained - tokensTaken;
    this.#tokens = Math.min(Math.max(tokens, 0), tokenCapacity);
  }

  #probeInMs(now: number, probes: number): number {
    this.#dropLeases(now);
    if (this.state !== 'half-open' || this.#leases.size < probes) return 0;
    return Math.min(...this.#leases.values()) - now;
  }

  #dropLeases(now: number): void {
    for (const [token, until] of this.#leases) if (until <= now) this.#leases.delete(token);
  }

  #open(reason: TransitionReason, replica: string, forMs: number, now: number): void {
    this.#openings++;
    this.#openUntil = now + forMs;
    this.#become('open', reason, replica, now);
  }

  #become(
    state: CircuitState,
    reason: TransitionReason,
    replica: string | undefined,
    now: number,
    note?: string,
  ): void {
    this.version = Math.max(this.version + 1, Math.floor(now));
    this.state = state;
    this.#reason = reason;
    this.#note = note;
    this.#replica = replica;
    this.#counts = new FleetCounts();
    this.#leases.clear();
    this.#probeSuccesses = 0;
  }
}
