import { Permit } from '../../internal/circuit-machine.ts';
import type { CircuitMachine, CircuitOutcome, Transition } from '../../internal/circuit-machine.ts';
import type { CircuitSettings } from '../breaker/circuit-options.ts';
import { RETRY_BUDGET_DEFAULTS } from '../retry-budget.ts';
import type { RetryBudget } from '../retry-budget.ts';
import { CallTally } from './call-tally.ts';
import type { Counted } from './call-tally.ts';
import type {
  CircuitReport,
  CircuitStore,
  OverrideCommand,
  SharedCircuit,
} from './circuit-store.ts';
import { FleetView } from './fleet-view.ts';
import { OperatorCommand } from './operator-command.ts';
import type { CommandedCircuit } from './operator-command.ts';
import { ProbeLeases } from './probe-leases.ts';
import type { LeasedCircuit } from './probe-leases.ts';
import type { StoreLink } from './store-link.ts';

/** Between two reports of one circuit there is at least so much. */
const REPORT_GAP_MS = 100;
/** How often a circuit that is not closed is asked for. */
const POLL_MS = 1000;
/** How far a version is put ahead that a store has to take back. */
const AHEAD = 1000;

/** What a circuit needs of its fleet. */
export interface FleetHome {
  readonly replica: string;
  readonly store: CircuitStore;
  readonly link: StoreLink;
  readonly isClosed: boolean;
  /** A view that is older has to be renewed when a call comes. */
  readonly freshMs: number;
  now(): number;
  random(): number;
  nextToken(): string;
  stretched(ms: number): number;
  /** The circuit is to be stepped at `at`, and whenever all are. */
  activate(circuit: FleetCircuit, at: number): void;
  counted(counted: Counted): void;
  /** The store has said how a circuit is. */
  remember(name: string, shared: SharedCircuit): void;
  join(circuit: FleetCircuit): void;
  leave(circuit: FleetCircuit): void;
}

/** Whose word a transition follows, while it happens. */
export interface FleetWord {
  readonly replica: string | undefined;
  readonly note: string | undefined;
}

/**
 * A circuit of this process as one of its fleet's. It stands before the machine: lets calls through and counts what
 * comes of them without ever waiting, and tells the store in the background when it is stepped.
 */
export class FleetCircuit implements LeasedCircuit, CommandedCircuit {
  readonly name: string;
  readonly machine: CircuitMachine;
  readonly link: StoreLink;
  word: FleetWord | undefined = undefined;
  readonly #home: FleetHome;
  readonly #circuit: { readonly settings: CircuitSettings };
  readonly #tally = new CallTally();
  readonly #view = new FleetView();
  readonly #leases = new ProbeLeases(this);
  readonly #command = new OperatorCommand(this);
  #budget: RetryBudget | undefined;
  #takenTold = 0;
  /** Whether a registry has it: one that nobody has any more asks for nothing. */
  #isMember = false;
  #isActive = false;
  #isReporting = false;
  #reportAt = Infinity;
  #reportedAt = -Infinity;
  #pollAt = 0;
  /** Whether the machine has gone ahead of what the store said, and follows its next word whatever it is. */
  #isAssumed = false;
  #isIsolated = false;

  constructor(
    name: string,
    home: FleetHome,
    circuit: { readonly settings: CircuitSettings },
    machine: CircuitMachine,
  ) {
    this.name = name;
    this.#home = home;
    this.link = home.link;
    this.#circuit = circuit;
    this.machine = machine;
  }

  get store(): CircuitStore {
    return this.#home.store;
  }

  get replica(): string {
    return this.#home.replica;
  }

  get rules(): CircuitSettings {
    return this.#circuit.settings;
  }

  get probeLeaseMs(): number {
    return this.#circuit.settings.probeLeaseMs;
  }

  /** How the fleet's circuit stands as far as is known; undefined where nobody has told yet. */
  get shared(): SharedCircuit | undefined {
    return this.#view.isKnown ? this.#view.at(this.now()) : undefined;
  }

  /** Whether no call is let through because the store is away. */
  get refusesAll(): boolean {
    return this.link.isDegraded && this.#circuit.settings.onStoreLoss === 'refuse';
  }

  /** Whether there is nothing to do until a call comes. */
  get isIdle(): boolean {
    return (
      this.#view.isClosed &&
      this.#tally.isEmpty &&
      !this.#command.isPending &&
      !this.#isReporting &&
      !this.#isAssumed &&
      this.#reportAt === Infinity &&
      this.#leases.isIdle
    );
  }

  now(): number {
    return this.#home.now();
  }

  nextToken(): string {
    return this.#home.nextToken();
  }

  stretched(ms: number): number {
    return this.#home.stretched(ms);
  }

  acquire(now: number, leaseMs: number): Permit | undefined {
    if (!this.#isActive) this.#awake(now);
    if (this.link.isDegraded) return this.#acquireAlone(now, leaseMs);
    const permit = this.machine.acquire(now, leaseMs);
    if (permit === undefined) this.#leases.want(now);
    else if (permit.isProbe) this.#leases.use(permit, leaseMs, now);
    return permit;
  }

  // Every call ends here: it is short, so that it becomes part of whoever calls it.
  settle(permit: Permit, outcome: CircuitOutcome, now: number, retryAfterMs = 0): void {
    if (permit.isSettled) return;
    if (permit.isProbe) this.#settleProbe(permit, outcome, now, retryAfterMs);
    else {
      if (permit.generation === this.machine.generation && outcome !== 'ignored')
        this.#count(permit, outcome, now, retryAfterMs);
      this.machine.settle(permit, outcome, now, retryAfterMs);
    }
  }

  #count(permit: Permit, outcome: CircuitOutcome, now: number, retryAfterMs: number): void {
    if (!this.#isActive) this.#awake(now);
    this.#tally.count(outcome === 'failure', this.#isSlow(permit, now), now, retryAfterMs);
  }

  #settleProbe(permit: Permit, outcome: CircuitOutcome, now: number, retryAfterMs: number): void {
    const isCurrent = permit.generation === this.machine.generation;
    this.machine.settle(permit, outcome, now, retryAfterMs);
    const told = outcome === 'success' && this.#isSlow(permit, now) ? 'slow' : outcome;
    const isTold = this.#leases.settle(permit, isCurrent ? told : 'ignored', retryAfterMs, now);
    if (isTold && isCurrent && outcome !== 'ignored') this.#isAssumed = true;
  }

  #isSlow(permit: Permit, now: number): boolean {
    return now - permit.startedAt >= this.#circuit.settings.slowCallMs;
  }

  /** The machine has made a transition. One of its own is told at once. */
  transitioned({ to, reason }: Transition, now: number): void {
    this.#isIsolated = to === 'open' && reason === 'isolated';
    this.#leases.moveOn(to, now);
    if (to !== 'open' || this.machine.isShared || this.#isIsolated) return;
    if (this.#circuit.settings.scope === 'local') return;
    this.#tally.tripped(reason, now);
    this.#reportAt = now;
    this.wake(now);
  }

  /** What an operator did here holds everywhere. */
  command(command: OverrideCommand): void {
    this.#tally.clear();
    this.#command.give(command);
  }

  /** The store has taken over what was done here, which needs no telling here. */
  obeyed(shared: SharedCircuit): void {
    const now = this.now();
    const isBehind = shared.version <= this.#view.version;
    // Others would tell a store that lost its count of versions what there was before: it hears of this one again,
    // under a version that is ahead of all they can make of it.
    const version = isBehind ? this.#view.version + AHEAD : shared.version;
    this.#view.take({ ...shared, version }, now);
    this.#home.remember(this.name, shared);
    if (isBehind) this.#reportAt = now;
    if (this.link.isDegraded || this.#home.isClosed) this.#isAssumed = true;
    else this.#follow(shared, undefined);
    if (isBehind) this.wake(now);
  }

  /** Retries are paid from the fleet's budget from now on. */
  pay(budget: RetryBudget): void {
    this.#budget = budget;
    if (this.#view.isKnown) budget.share(this.#view.shared.tokens, this.#tally.successes);
  }

  /** News that nobody here asked for. They may be old. */
  news(shared: SharedCircuit): void {
    if (shared.version > this.#view.version) this.heard(shared);
  }

  /** What the fleet knew at `at`, before this process had the circuit. It holds while the store is away too. */
  recall(shared: SharedCircuit, at: number): void {
    if (this.#home.isClosed || shared.version <= this.#view.version) return;
    this.#view.take(shared, at);
    this.#follow(this.#view.at(this.now()), shared.reason);
    const { onStoreLoss } = this.#circuit.settings;
    if (this.link.isDegraded && onStoreLoss === 'local') this.machine.goAlone();
  }

  heard(shared: SharedCircuit): void {
    const isMute = this.#home.isClosed || this.link.isDegraded;
    // What an operator wants here is newer than anything the store says before it has heard of it.
    if (isMute || this.#command.isPending) return;
    const now = this.now();
    if (this.#view.isAhead(shared)) {
      this.#reportAt = now;
      this.wake(now);
      return;
    }
    const wasKnown = this.#view.isKnown;
    const isNews = this.#view.isNews(shared) || (this.#isAssumed && !this.#leases.isSettling);
    this.#view.take(shared, now);
    this.#home.remember(this.name, shared);
    // How it once came to be closed is no news for one who has just joined.
    if (!isNews || (!wasKnown && shared.state === 'closed')) return;
    this.#follow(shared, shared.reason);
  }

  /** The store is away: what follows is up to this process. */
  lost(): void {
    const now = this.now();
    if (!this.#view.isClosed) this.#isAssumed = true;
    this.#leases.moveOn('closed', now);
    if (this.#circuit.settings.onStoreLoss === 'local') this.machine.goAlone();
    else this.machine.withdrawGrants(now);
  }

  /** The store is told what it may have lost, and asked how the circuit stands, within so long. */
  lookAgain(withinMs: number): void {
    this.#reportAt = this.now() + this.#home.random() * withinMs;
    this.wake(this.#reportAt);
  }

  /** The fleet is about to be closed: what was not told may be told now, and places not taken are given back. */
  retire(): void {
    this.#reportedAt = -Infinity;
    this.#leases.moveOn('closed', this.now());
  }

  join(): void {
    this.#isMember = true;
    this.#home.join(this);
  }

  leave(): void {
    this.#isMember = false;
    this.#isActive = false;
    this.#home.leave(this);
  }

  wake(at: number): void {
    if (!this.#isMember) return;
    this.#isActive = true;
    this.#home.activate(this, at);
  }

  rest(): void {
    this.#isActive = false;
  }

  /** Does what is due, and returns when to come again. `isFlush`: whatever was counted is told. */
  step(now: number, isFlush: boolean): number {
    if (this.#command.isPending) return this.#command.step(now);
    return Math.min(this.#leases.step(now), this.#reportWhenDue(now, isFlush));
  }

  /** A call came for the first time in a while: what is known of the fleet may be old. */
  #awake(now: number): void {
    this.#isActive = true;
    if (now - this.#reportedAt >= this.#home.freshMs) this.#reportAt = now;
    this.#home.activate(this, this.#reportAt);
  }

  #acquireAlone(now: number, leaseMs: number): Permit | undefined {
    const { onStoreLoss } = this.#circuit.settings;
    if (onStoreLoss === 'refuse') return undefined;
    const permit = this.machine.acquire(now, leaseMs);
    if (permit !== undefined || onStoreLoss === 'local' || this.#isIsolated) return permit;
    return new Permit(NO_GENERATION, now, false);
  }

  #follow({ state, openForMs, openings, replica, note }: SharedCircuit, reason: Reason): void {
    const now = this.now();
    this.#isAssumed = false;
    // What was counted belongs to the state before.
    if (state !== 'closed' || reason === 'reset') this.#tally.clear();
    this.word = { replica, note };
    this.machine.adopt({ state, openForMs, openings, reason }, now);
    this.word = undefined;
    if (state === 'closed') return;
    this.#pollAt = this.#nextPollAt(now);
    this.wake(this.#pollAt);
  }

  #nextPollAt(now: number): number {
    return now + this.stretched(POLL_MS * (0.75 + this.#home.random() / 2));
  }

  #reportWhenDue(now: number, isFlush: boolean): number {
    if (this.#isReporting) return Infinity;
    const dueAt = this.#dueAt;
    const isDirty = !this.#tally.isEmpty || this.#taken !== this.#takenTold;
    if (now < dueAt && !(isFlush && isDirty)) return dueAt;
    const earliestAt = this.#reportedAt + REPORT_GAP_MS;
    if (now < earliestAt) return earliestAt;
    this.#report(now);
    return Infinity;
  }

  /** When the store is to be told or asked next. */
  get #dueAt(): number {
    return this.#view.isClosed ? this.#reportAt : Math.min(this.#reportAt, this.#pollAt);
  }

  get #taken(): number {
    return this.#budget?.taken ?? 0;
  }

  #report(now: number): void {
    const counted = this.#tally.take(this.rules.windowMs, now);
    const taken = this.#taken;
    const newlyTaken = taken - this.#takenTold;
    const report = this.#reportOf(counted, newlyTaken, now);
    this.#takenTold = taken;
    this.#isReporting = true;
    this.#reportAt = Infinity;
    this.#reportedAt = now;
    this.#pollAt = this.#nextPollAt(now);
    this.#home.counted(counted);
    this.link.ask(() => this.store.report(this.name, report), {
      answered: (shared) => {
        this.#isReporting = false;
        this.heard(shared);
        const sinceTold = this.#tally.successes - (this.#taken - taken);
        this.#budget?.share(shared.tokens, sinceTold);
        this.#comeAgain();
      },
      failed: () => {
        this.#isReporting = false;
        this.#takenTold -= newlyTaken;
        // In another state it says nothing any more.
        if (this.#view.version === report.version) this.#tally.putBack(counted);
        this.#comeAgain();
      },
      timedOut: () => {
        this.#isReporting = false;
        this.#comeAgain();
      },
    });
  }

  /** Something may have become due while the report was under way. */
  #comeAgain(): void {
    if (this.#isActive && this.#dueAt !== Infinity) this.wake(this.#dueAt);
  }

  #reportOf(counted: Counted, tokensTaken: number, now: number): CircuitReport {
    const { calls, failures, slow, trailingFailures, trip, retryAfterMs } = counted;
    const held = this.#view.heldAt(now);
    return {
      replica: this.replica,
      rules: this.rules,
      scope: this.rules.scope,
      calls,
      failures,
      slow,
      trailingFailures,
      ...(trip !== undefined && { trip }),
      ...(retryAfterMs > 0 && { retryAfterMs }),
      version: this.#view.version,
      ...(held !== undefined && { held }),
      tokensTaken,
      tokensGained: (calls - failures) * RETRY_BUDGET_DEFAULTS.gain,
      tokenCapacity: RETRY_BUDGET_DEFAULTS.capacity,
    };
  }
}

type Reason = SharedCircuit['reason'];

/** The generation of a permit that no state gave: its outcome is counted, and changes nothing. */
const NO_GENERATION = -1;
