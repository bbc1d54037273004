import type { CircuitMachine, CircuitState, Permit } from '../../internal/circuit-machine.ts';
import type { CircuitStore, FleetRules, ProbeSettlement, SharedCircuit } from './circuit-store.ts';
import type { StoreLink } from './store-link.ts';

/** How long a place is kept that no call has come for. */
const UNUSED_MS = 1000;
/** How often the store is asked for a place at most, and how often at least while calls are refused. */
const ASK_EVERY_MS = 250;
const ASK_AGAIN_MS = 1000;
/** No lease is longer: whoever needs more asks again while it lasts. */
const MOST_LEASE_MS = 600_000;

/** What the leases of a circuit need to know of it. */
export interface LeasedCircuit {
  readonly name: string;
  readonly replica: string;
  readonly store: CircuitStore;
  readonly link: StoreLink;
  readonly machine: CircuitMachine;
  readonly rules: FleetRules;
  readonly probeLeaseMs: number;
  now(): number;
  nextToken(): string;
  /** What is asked for less often where there are many who ask. */
  stretched(ms: number): number;
  heard(shared: SharedCircuit): void;
  /** Something is to be done, at `at`. */
  wake(at: number): void;
}

interface Lease {
  readonly token: string;
  /** When the store gives the place to another, at the earliest. */
  until: number;
  /** Until when a call may take it. */
  readonly unusedUntil: number;
  permit: Permit | undefined;
  /** Until when the probe may say something. */
  neededUntil: number;
  /** How the probe ended, until the store has heard it. */
  outcome: ProbeSettlement['outcome'] | undefined;
  retryAfterMs: number;
  isSending: boolean;
  nextAt: number;
}

/**
 * The probes that a replica makes for its fleet. A place is asked for in the background, once a call was refused for
 * the lack of one; the next call takes it, and what came of it is told in the background again.
 */
export class ProbeLeases {
  readonly #circuit: LeasedCircuit;
  #leases: Lease[] = [];
  /** Whether a call was refused for which nobody has asked yet. */
  #isWanted = false;
  /** The place that is being asked for. The same token is asked for again where no answer came. */
  #askedToken: string | undefined;
  #isAsking = false;
  #askAt = 0;

  constructor(circuit: LeasedCircuit) {
    this.#circuit = circuit;
  }

  /** Whether there is nothing to do and nothing to wait for. */
  get isIdle(): boolean {
    return this.#leases.length === 0 && !this.#isWanted && this.#askedToken === undefined;
  }

  /** Whether the store is still to hear of a probe. */
  get isSettling(): boolean {
    return this.#leases.some(({ outcome }) => outcome !== undefined && outcome !== 'ignored');
  }

  /** A call was refused. Where it could have been a probe, a place is asked for at once. */
  want(now: number): void {
    // Nearly all calls that are refused end here.
    if (this.#isWanted) return;
    const { machine } = this.#circuit;
    if (!machine.isShared) return;
    this.#isWanted = true;
    const isHalfOpen = machine.stateAt(now) === 'half-open';
    this.#circuit.wake(isHalfOpen ? Math.max(now, this.#askAt) : machine.openUntil);
  }

  /** A call has taken a place and may take so long. */
  use(permit: Permit, leaseMs: number, now: number): void {
    const lease = this.#leases.find((one) => isUnused(one) && now < one.unusedUntil);
    if (lease === undefined) return;
    lease.permit = permit;
    lease.neededUntil = now + leaseMs;
    if (lease.neededUntil > lease.until) this.#circuit.wake(now);
  }

  /** A probe has ended. Returns whether it was one of the fleet's. */
  settle(
    permit: Permit,
    outcome: ProbeSettlement['outcome'],
    retryAfterMs: number,
    now: number,
  ): boolean {
    const lease = this.#leases.find((one) => one.permit === permit && one.outcome === undefined);
    if (lease === undefined) return false;
    lease.outcome = outcome;
    lease.retryAfterMs = retryAfterMs;
    lease.nextAt = now;
    this.#circuit.wake(now);
    return true;
  }

  /** The state has changed: places that were to be had in the last one are given back. */
  moveOn(to: CircuitState, now: number): void {
    // Who was refused while it was open wants to be the probe now.
    if (to !== 'half-open') this.#isWanted = false;
    this.#askedToken = undefined;
    this.#askAt = now;
    for (const lease of this.#leases) if (isUnused(lease)) lease.outcome = 'ignored';
  }

  /** Does what is due, and returns when to come again. */
  step(now: number): number {
    this.#leases = this.#leases.filter(({ until }) => now < until);
    let nextAt = this.#ask(now);
    for (const lease of this.#leases) {
      if (isUnused(lease) && now >= lease.unusedUntil) this.#giveBack(lease, now);
      if (lease.outcome !== undefined) this.#tell(lease, lease.outcome, now);
      else if (lease.neededUntil > lease.until) this.#keep(lease, now);
      nextAt = Math.min(nextAt, isUnused(lease) ? lease.unusedUntil : lease.until);
      if (!lease.isSending && lease.nextAt > now) nextAt = Math.min(nextAt, lease.nextAt);
    }
    return nextAt;
  }

  #ask(now: number): number {
    const { machine, link, store, name, replica, rules, probeLeaseMs } = this.#circuit;
    // A place whose grant got lost is asked for again, wanted or not: nobody else gets it before.
    const hasCause = this.#isWanted || this.#askedToken !== undefined;
    if (!hasCause || this.#isAsking || !machine.isShared) return Infinity;
    const state = machine.stateAt(now);
    if (state !== 'half-open') return state === 'open' ? machine.openUntil : Infinity;
    if (this.#leases.some(isUnused)) return Infinity;
    if (now < this.#askAt) return this.#askAt;
    const unusedMs = Math.min(UNUSED_MS, probeLeaseMs);
    const ttlMs = Math.min(probeLeaseMs, MOST_LEASE_MS) + unusedMs;
    const token = (this.#askedToken ??= this.#circuit.nextToken());
    this.#isAsking = true;
    this.#askAt = now + this.#circuit.stretched(ASK_EVERY_MS);
    link.ask(() => store.lease(name, { replica, token, ttlMs, rules }), {
      answered: ({ granted, shared }, sentAt) => {
        const isAsked = this.#askedToken === token;
        this.#isAsking = false;
        if (isAsked) this.#askedToken = undefined;
        this.#circuit.heard(shared);
        if (granted) this.#granted(token, sentAt + ttlMs, sentAt + unusedMs);
        else if (isAsked) this.#refused(shared.probeInMs);
      },
      failed: () => {
        this.#isAsking = false;
        this.#circuit.wake(this.#askAt);
      },
      timedOut: () => {
        this.#isAsking = false;
        this.#circuit.wake(this.#askAt);
      },
    });
    return Infinity;
  }

  #granted(token: string, until: number, unusedUntil: number): void {
    // It was asked for twice, and both answers came.
    if (this.#leases.some((one) => one.token === token)) return;
    const lease: Lease = {
      token,
      until,
      unusedUntil,
      permit: undefined,
      neededUntil: 0,
      outcome: undefined,
      retryAfterMs: 0,
      isSending: false,
      nextAt: 0,
    };
    const now = this.#circuit.now();
    const { machine } = this.#circuit;
    this.#leases.push(lease);
    this.#isWanted = false;
    if (machine.isShared && machine.stateAt(now) === 'half-open') machine.grant(unusedUntil);
    else lease.outcome = 'ignored';
    this.#circuit.wake(lease.outcome === undefined ? unusedUntil : now);
  }

  #refused(probeInMs: number): void {
    const now = this.#circuit.now();
    const waitMs = Math.min(Math.max(probeInMs, ASK_EVERY_MS), ASK_AGAIN_MS);
    this.#askAt = now + this.#circuit.stretched(waitMs);
    this.#circuit.machine.withdrawGrants(now + probeInMs);
    this.#circuit.wake(this.#askAt);
  }

  #giveBack(lease: Lease, now: number): void {
    lease.outcome = 'ignored';
    this.#circuit.machine.withdrawGrants(now);
  }

  #tell(lease: Lease, outcome: ProbeSettlement['outcome'], now: number): void {
    if (lease.isSending || now < lease.nextAt) return;
    const { link, store, name, replica, rules } = this.#circuit;
    const { token, retryAfterMs } = lease;
    this.#send(lease, now);
    const settlement = { replica, token, outcome, rules, retryAfterMs };
    link.ask(() => store.settle(name, settlement), {
      answered: (shared) => {
        this.#leases = this.#leases.filter((one) => one !== lease);
        this.#circuit.heard(shared);
      },
      failed: () => {
        this.#tryAgain(lease);
      },
      timedOut: () => {
        this.#tryAgain(lease);
      },
    });
  }

  /** Asks for more time, for a probe that may take longer than its lease. */
  #keep(lease: Lease, now: number): void {
    if (lease.isSending || now < lease.nextAt) return;
    const { link, store, name, replica, rules } = this.#circuit;
    const { token } = lease;
    const ttlMs = Math.min(lease.neededUntil - now, MOST_LEASE_MS);
    this.#send(lease, now);
    link.ask(() => store.lease(name, { replica, token, ttlMs, rules }), {
      answered: ({ granted, shared }, sentAt) => {
        lease.isSending = false;
        if (granted) lease.until = Math.max(lease.until, sentAt + ttlMs);
        // Half of a long time is over before more is asked for; what there is to tell is told at once.
        lease.nextAt = lease.outcome === undefined ? sentAt + ttlMs / 2 : sentAt;
        this.#circuit.heard(shared);
        this.#circuit.wake(lease.nextAt);
      },
      failed: () => {
        this.#tryAgain(lease);
      },
      timedOut: () => {
        this.#tryAgain(lease);
      },
    });
  }

  #send(lease: Lease, now: number): void {
    lease.isSending = true;
    lease.nextAt = now + ASK_EVERY_MS;
  }

  #tryAgain(lease: Lease): void {
    lease.isSending = false;
    this.#circuit.wake(lease.nextAt);
  }
}

/** Whether a lease waits for a call. */
function isUnused({ permit, outcome }: Lease): boolean {
  return permit === undefined && outcome === undefined;
}
