import { CallWindow } from './call-window.ts';
import type { Random } from './random.ts';

/** When a circuit opens and how it closes again. `Infinity` switches a rule off. */
export interface CircuitRules {
  /** Failures in a row that open it. */
  readonly consecutiveFailures: number;
  /** A failure that came longer after the one before it begins a new row. */
  readonly consecutiveMaxAgeMs: number;
  /** Share of the calls in the window that open it when they fail. */
  readonly failureRatio: number;
  /** From this duration on a call is slow. */
  readonly slowCallMs: number;
  /** Share of the calls in the window that open it when they are slow. */
  readonly slowCallRatio: number;
  readonly windowMs: number;
  /** Calls the window must hold before either share means anything. */
  readonly minCalls: number;
  /** How long it stays open before probes are let through. */
  readonly openForMs: number;
  /** How much longer each time it opens again without having closed. */
  readonly openForGrowth: number;
  readonly maxOpenForMs: number;
  /** Share of the open time that is left to chance, so that a fleet does not come back all at once. */
  readonly openForJitter: number;
  /** Probes that may be under way at a time. */
  readonly probes: number;
  /** Probes that have to succeed to close it. */
  readonly successesToClose: number;
  /** A probe that says nothing for so long loses its place. */
  readonly probeLeaseMs: number;
}

/** What circuits do unless told otherwise. */
export const CIRCUIT_RULES: CircuitRules = Object.freeze({
  consecutiveFailures: 5,
  consecutiveMaxAgeMs: 600_000,
  failureRatio: 0.5,
  slowCallMs: Infinity,
  slowCallRatio: Infinity,
  windowMs: 60_000,
  minCalls: 10,
  openForMs: 60_000,
  openForGrowth: 1,
  maxOpenForMs: 600_000,
  openForJitter: 0,
  probes: 1,
  successesToClose: 1,
  probeLeaseMs: 60_000,
});

/** Lets calls through, refuses them, or lets a few through to try. */
export type CircuitState = 'closed' | 'open' | 'half-open';

/** How a call ended, as far as its circuit cares. */
export type CircuitOutcome = 'success' | 'failure' | 'ignored';

/** Why the state changed. */
export type TransitionReason =
  | 'failure_threshold_exceeded'
  | 'failure_ratio_exceeded'
  | 'slow_ratio_exceeded'
  | 'recovery_timeout_expired'
  | 'probe_succeeded'
  | 'probe_failed'
  | 'probe_slow'
  | 'retry_after'
  | 'isolated'
  | 'reset';

export interface Transition {
  readonly from: CircuitState;
  readonly to: CircuitState;
  readonly reason: TransitionReason;
  /** What led to it, which the new state has forgotten. */
  readonly consecutiveFailures: number;
  readonly calls: number;
  readonly failures: number;
}

/** Told of every transition, once the new state holds. */
export interface CircuitWatcher {
  transitioned(transition: Transition, now: number): void;
}

/** The right to make one call, to be settled once. */
export class Permit {
  /** The state it was given in: what a later state thinks of its outcome is nothing. */
  readonly generation: number;
  readonly startedAt: number;
  readonly isProbe: boolean;
  isSettled = false;

  constructor(generation: number, startedAt: number, isProbe: boolean) {
    this.generation = generation;
    this.startedAt = startedAt;
    this.isProbe = isProbe;
  }
}

interface Probe {
  readonly permit: Permit;
  readonly until: number;
}

/** How a circuit stands that many processes share, as the machine of one of them takes it over. */
export interface SharedState {
  readonly state: CircuitState;
  /** How much of the open time is left. */
  readonly openForMs: number;
  readonly openings: number;
  readonly reason: TransitionReason | undefined;
}

const NO_PROBES: readonly Probe[] = [];
const NO_GRANTS: readonly number[] = [];
/** How long a call is told to wait for a probe's place that is being asked for. */
const GRANT_WAIT_MS = 100;

/**
 * The pure, synchronous circuit: it holds no timer, reads no clock and calls nobody but its watcher.
 * `acquire` says whether a call may go ahead, `settle` how it went. Every transition starts a new generation
 * with empty windows, so that the late result of an earlier state changes nothing.
 */
export class CircuitMachine {
  #rules: CircuitRules;
  readonly #random: Random;
  readonly #watcher: CircuitWatcher | undefined;
  #state: CircuitState = 'closed';
  #generation = 0;
  #consecutive = 0;
  #lastFailureAt = 0;
  #window: CallWindow | undefined;
  #openUntil = 0;
  /** How often it opened since it was last closed. */
  #openings = 0;
  #probes: readonly Probe[] = NO_PROBES;
  #probeSuccesses = 0;
  /** Whether its state is that of all who share it: then it probes only where it was granted a place. */
  #isShared = false;
  /** Until when each place may be used that was granted and is not taken. */
  #grants: readonly number[] = NO_GRANTS;

  constructor(rules: CircuitRules, random: Random, watcher?: CircuitWatcher) {
    this.#rules = rules;
    this.#random = random;
    this.#watcher = watcher;
  }

  /** The state as of `now`: an open time that is over has ended, asked or not. */
  stateAt(now: number): CircuitState {
    if (this.#state === 'open' && now >= this.#openUntil)
      this.#become('half-open', 'recovery_timeout_expired', now);
    return this.#state;
  }

  get generation(): number {
    return this.#generation;
  }

  get consecutiveFailures(): number {
    return this.#consecutive;
  }

  /** When the open time ends, 0 while it is not open. */
  get openUntil(): number {
    return this.#state === 'open' ? this.#openUntil : 0;
  }

  /** What is in the window as of `now`; nothing while nobody counts. */
  windowAt(now: number): Pick<CallWindow, 'calls' | 'failures' | 'slow'> {
    this.#window?.moveTo(now);
    return this.#window ?? EMPTY_WINDOW;
  }

  /** A permit to go ahead, or undefined when the call is refused. A probe has to say something within `leaseMs`. */
  acquire(now: number, leaseMs: number = this.#rules.probeLeaseMs): Permit | undefined {
    if (this.#state === 'closed') return new Permit(this.#generation, now, false);
    if (this.stateAt(now) === 'open') return undefined;
    const live = this.#probes.filter(({ until }) => now < until);
    if (this.#isShared ? !this.#takeGrant(now) : live.length >= this.#rules.probes) {
      this.#probes = live;
      return undefined;
    }
    const permit = new Permit(this.#generation, now, true);
    this.#probes = [...live, { permit, until: now + leaseMs }];
    return permit;
  }

  /** How long a call that is refused now should wait before it asks again; 0 where it would be let through. */
  retryAfterMs(now: number): number {
    if (this.stateAt(now) === 'open') return this.#openUntil - now;
    if (this.#isShared) {
      const isGranted = this.#grants.some((until) => now < until);
      return isGranted ? 0 : Math.max(this.#openUntil - now, GRANT_WAIT_MS);
    }
    // While it is closed nobody probes, so that all places are free.
    const ends = this.#probes.map(({ until }) => until - now).sort((one, other) => one - other);
    // Where more are under way than there may be, by other rules since, the first that end leave no place.
    return Math.max(0, ends[ends.length - this.#rules.probes] ?? 0);
  }

  /**
   * Takes how the call went; the first word counts. `retryAfterMs` is what the server asked for: where the
   * circuit opens, it stays open at least that long.
   */
  settle(permit: Permit, outcome: CircuitOutcome, now: number, retryAfterMs = 0): void {
    if (permit.isSettled) return;
    permit.isSettled = true;
    if (permit.generation !== this.#generation) return;
    if (permit.isProbe) {
      this.#settleProbe(permit, outcome, now, retryAfterMs);
      return;
    }
    if (outcome === 'ignored') return;
    const isSlow = now - permit.startedAt >= this.#rules.slowCallMs;
    const isFailure = outcome === 'failure';
    if (isFailure) this.#countFailure(now);
    else this.#consecutive = 0;
    const reason = this.#tripReason(isFailure, isSlow, now);
    if (reason !== undefined) this.#open(reason, now, retryAfterMs);
  }

  /** Goes by other rules from now on. The state stays, and an open time that was promised is kept. */
  follow(rules: CircuitRules): void {
    // What was counted over another stretch of time cannot be compared.
    if (rules.windowMs !== this.#rules.windowMs) this.#window = undefined;
    this.#rules = rules;
  }

  /** Opens it for good, or for `forMs`; whoever isolated it resets it. */
  isolate(now: number, forMs: number): void {
    this.#openUntil = now + forMs;
    this.#become('open', 'isolated', now);
  }

  /** Opens it until the server wants to be asked again. */
  openFor(forMs: number, now: number): void {
    if (this.stateAt(now) === 'closed') this.#open('retry_after', now, forMs);
  }

  reset(now: number): void {
    this.goAlone();
    if (this.#state === 'closed') {
      this.#generation++;
      this.#clear();
    } else this.#become('closed', 'reset', now);
    this.#openings = 0;
  }

  /** Whether its state is that of all who share it. */
  get isShared(): boolean {
    return this.#isShared;
  }

  /**
   * Takes over how all who share it stand. Where they open, it opens too; where they close, it closes only if it
   * had opened with them: what opened it alone is for its own probes to find out, unless somebody reset it.
   */
  adopt({ state, openForMs, openings, reason }: SharedState, now: number): void {
    if (state === 'closed') {
      this.#adoptClosed(reason, now);
      return;
    }
    const wasShared = this.#isShared;
    this.#isShared = true;
    this.#openings = openings;
    if (state === 'half-open') {
      // What opened it alone goes on until its time is over; then it probes as the others do.
      const isOwnOpen = this.#state === 'open' && !wasShared;
      if (this.#state !== 'half-open' && !isOwnOpen)
        this.#become('half-open', 'recovery_timeout_expired', now);
      return;
    }
    this.#openUntil = now + openForMs;
    // That the others have opened too is no news for whoever it refuses already.
    if (this.#state !== 'open' || reason === 'isolated')
      this.#become('open', reason ?? 'failure_threshold_exceeded', now);
  }

  /** It was granted the place of one probe, to be taken before `until` and before its state changes. */
  grant(until: number): void {
    if (this.#isShared) this.#grants = [...this.#grants, until];
  }

  /** The places that were granted are gone; the next is not to be expected before `at`. */
  withdrawGrants(at: number): void {
    this.#grants = NO_GRANTS;
    if (this.#isShared && this.#state === 'half-open') this.#openUntil = at;
  }

  /** Goes by itself from now on: an open time that ends is probed without asking. */
  goAlone(): void {
    this.#isShared = false;
    this.#grants = NO_GRANTS;
  }

  #adoptClosed(reason: TransitionReason | undefined, now: number): void {
    const wasShared = this.#isShared;
    this.goAlone();
    if (reason === 'reset') this.reset(now);
    else if (wasShared) {
      this.#become('closed', reason ?? 'probe_succeeded', now);
      this.#openings = 0;
    }
  }

  #takeGrant(now: number): boolean {
    const live = this.#grants.filter((until) => now < until);
    this.#grants = live.slice(1);
    return live.length > 0;
  }

  #settleProbe(permit: Permit, outcome: CircuitOutcome, now: number, retryAfterMs: number): void {
    const rest = this.#probes.filter((probe) => probe.permit !== permit);
    const isLeased = this.#probes.some((probe) => probe.permit === permit && now < probe.until);
    this.#probes = rest;
    // Its place was given to another, or it says nothing about the tool.
    if (!isLeased || outcome === 'ignored') return;
    if (outcome === 'failure') this.#open('probe_failed', now, retryAfterMs);
    else if (now - permit.startedAt >= this.#rules.slowCallMs)
      this.#open('probe_slow', now, retryAfterMs);
    // Those who share it count their successes together, and not here.
    else if (this.#isShared && this.#rules.successesToClose > 1) return;
    else if (++this.#probeSuccesses >= this.#rules.successesToClose) {
      this.goAlone();
      this.#become('closed', 'probe_succeeded', now);
      this.#openings = 0;
    }
  }

  #countFailure(now: number): void {
    const isOld = now - this.#lastFailureAt > this.#rules.consecutiveMaxAgeMs;
    this.#consecutive = isOld ? 1 : this.#consecutive + 1;
    this.#lastFailureAt = now;
  }

  #tripReason(isFailure: boolean, isSlow: boolean, now: number): TransitionReason | undefined {
    const { consecutiveFailures, failureRatio, slowCallRatio, windowMs, minCalls } = this.#rules;
    if (failureRatio !== Infinity || slowCallRatio !== Infinity) {
      this.#window ??= new CallWindow(windowMs, now);
      this.#window.add(isFailure, isSlow, now);
    }
    if (this.#consecutive >= consecutiveFailures) return 'failure_threshold_exceeded';
    const window = this.#window;
    if (window === undefined || window.calls < minCalls) return undefined;
    if (window.failures / window.calls >= failureRatio) return 'failure_ratio_exceeded';
    return window.slow / window.calls >= slowCallRatio ? 'slow_ratio_exceeded' : undefined;
  }

  #open(reason: TransitionReason, now: number, atLeastMs: number): void {
    const grown = openTimeMs(this.#rules, this.#openings);
    const forMs = grown * (1 - this.#rules.openForJitter * this.#random());
    this.#openings++;
    this.#openUntil = now + Math.max(forMs, atLeastMs);
    this.#become('open', reason, now);
  }

  #become(state: CircuitState, reason: TransitionReason, now: number): void {
    const from = this.#state;
    const { calls, failures } = this.windowAt(now);
    const consecutiveFailures = this.#consecutive;
    this.#state = state;
    this.#generation++;
    this.#clear();
    const transition = { from, to: state, reason, consecutiveFailures, calls, failures };
    this.#watcher?.transitioned(transition, now);
  }

  #clear(): void {
    this.#consecutive = 0;
    this.#window = undefined;
    this.#probes = NO_PROBES;
    this.#grants = NO_GRANTS;
    this.#probeSuccesses = 0;
  }
}

/** How long a circuit opens that opened so often since it was last closed. */
export function openTimeMs(
  rules: Pick<CircuitRules, 'openForMs' | 'openForGrowth' | 'maxOpenForMs'>,
  openings: number,
): number {
  const { openForMs, openForGrowth, maxOpenForMs } = rules;
  return Math.min(openForMs * openForGrowth ** openings, Math.max(openForMs, maxOpenForMs));
}

const EMPTY_WINDOW = { calls: 0, failures: 0, slow: 0 } as const;
