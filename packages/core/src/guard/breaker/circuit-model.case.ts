import type { CircuitState } from '../../internal/circuit-machine.ts';
import type { Failure } from '../../internal/failure-class.ts';
import type { Random } from '../../internal/random.ts';
import type { CircuitSettings } from './circuit-options.ts';

interface Outcome {
  readonly at: number;
  readonly isFailure: boolean;
  readonly isSlow: boolean;
}

/** A permit as the model sees it. One that no state gave, as shadow mode lets calls through, has generation -1. */
export interface ModelPermit {
  readonly generation: number;
  readonly at: number;
  readonly isProbe: boolean;
  isSettled: boolean;
}

/**
 * The circuit, slow and plain: it keeps every outcome of the present state with its time, and works everything
 * out from that list whenever it is asked.
 */
export class CircuitModel {
  now = 0;
  state: CircuitState = 'closed';
  generation = 0;
  readonly metrics = { successes: 0, failures: 0, rejections: 0, ignored: 0 };
  /** Reasons of all transitions so far. */
  readonly reasons: string[] = [];
  readonly #rules: CircuitSettings;
  readonly #random: Random;
  #outcomes: Outcome[] = [];
  #probes: ModelPermit[] = [];
  #goodProbes = 0;
  #openUntil = 0;
  #openings = 0;

  constructor(rules: CircuitSettings, random: Random) {
    this.#rules = rules;
    this.#random = random;
  }

  advance(ms: number): void {
    this.now += ms;
  }

  /** The open time ends by itself, but it is told when somebody looks. */
  look(): void {
    if (this.state === 'open' && this.now >= this.#openUntil)
      this.#become('half-open', 'recovery_timeout_expired');
  }

  acquire(): ModelPermit | undefined {
    this.look();
    const isAdmitted =
      this.state === 'closed' ||
      (this.state === 'half-open' && this.#liveProbes().length < this.#rules.probes);
    const isShadow = this.#rules.mode === 'shadow';
    if (!isAdmitted && !isShadow) {
      this.metrics.rejections++;
      return undefined;
    }
    const permit = {
      generation: isAdmitted ? this.generation : -1,
      at: this.now,
      isProbe: isAdmitted && this.state === 'half-open',
      isSettled: false,
    };
    if (permit.isProbe) this.#probes.push(permit);
    return permit;
  }

  settle(permit: ModelPermit, failure: Failure | undefined, counts: boolean): void {
    if (permit.isSettled) return;
    permit.isSettled = true;
    if (failure === undefined) this.metrics.successes++;
    else if (counts) this.metrics.failures++;
    else this.metrics.ignored++;
    if (permit.generation !== this.generation) return;
    const isFailure = failure !== undefined;
    const isSlow = this.now - permit.at >= this.#rules.slowCallMs;
    const waitMs = Math.min(failure?.retryAfterMs ?? 0, this.#rules.maxRetryAfterMs);
    const isIgnored = isFailure && !counts;
    if (permit.isProbe) this.#settleProbe(permit, isIgnored, isFailure, isSlow, waitMs);
    else if (!isIgnored) this.#settleCall(isFailure, isSlow, waitMs);
  }

  isolate(forMs: number): void {
    this.#openUntil = this.now + forMs;
    this.#become('open', 'isolated');
  }

  reset(): void {
    if (this.state === 'closed') this.#begin('closed');
    else this.#become('closed', 'reset');
    this.#openings = 0;
  }

  retryAfterMs(): number {
    this.look();
    if (this.state === 'open') return this.#openUntil - this.now;
    const live = this.#liveProbes();
    if (this.state === 'closed' || live.length < this.#rules.probes) return 0;
    return Math.min(...live.map((probe) => this.#leaseEnd(probe) - this.now));
  }

  consecutiveFailures(): number {
    let row = 0;
    for (let at = this.#outcomes.length - 1; at >= 0; at--) {
      const outcome = this.#outcomes[at]!;
      const later = this.#outcomes[at + 1];
      const isApart =
        later !== undefined && later.at - outcome.at > this.#rules.consecutiveMaxAgeMs;
      if (!outcome.isFailure || isApart) break;
      row++;
    }
    return row;
  }

  /**
   * The rule of the window: time is cut into slices of a twentieth of it, beginning with the first call of the
   * state. The slice of now and the nineteen before it count.
   */
  window(): { calls: number; failures: number; slow: number } {
    const { failureRatio, slowCallRatio, windowMs } = this.#rules;
    const first = this.#outcomes[0]?.at ?? 0;
    const sliceOf = (time: number): number => Math.floor((time - first) / (windowMs / 20));
    const isCounted = failureRatio !== Infinity || slowCallRatio !== Infinity;
    const inside = this.#outcomes.filter(
      ({ at }) => isCounted && sliceOf(at) > sliceOf(this.now) - 20,
    );
    return {
      calls: inside.length,
      failures: inside.filter(({ isFailure }) => isFailure).length,
      slow: inside.filter(({ isSlow }) => isSlow).length,
    };
  }

  #settleCall(isFailure: boolean, isSlow: boolean, waitMs: number): void {
    this.#outcomes.push({ at: this.now, isFailure, isSlow });
    const { consecutiveFailures, failureRatio, slowCallRatio, minCalls } = this.#rules;
    const { calls, failures, slow } = this.window();
    const isEnough = calls >= minCalls;
    if (this.consecutiveFailures() >= consecutiveFailures)
      this.#open('failure_threshold_exceeded', waitMs);
    else if (isEnough && failures / calls >= failureRatio)
      this.#open('failure_ratio_exceeded', waitMs);
    else if (isEnough && slow / calls >= slowCallRatio) this.#open('slow_ratio_exceeded', waitMs);
    else if (this.#rules.opensOnRetryAfter && waitMs > 0) this.#open('retry_after', waitMs);
  }

  #settleProbe(
    permit: ModelPermit,
    isIgnored: boolean,
    isFailure: boolean,
    isSlow: boolean,
    waitMs: number,
  ): void {
    const isLate = this.now >= this.#leaseEnd(permit);
    if (isIgnored || isLate) return;
    if (isFailure) this.#open('probe_failed', waitMs);
    else if (isSlow) this.#open('probe_slow', waitMs);
    else if (++this.#goodProbes >= this.#rules.successesToClose) {
      this.#become('closed', 'probe_succeeded');
      this.#openings = 0;
    }
  }

  #leaseEnd(probe: ModelPermit): number {
    return probe.at + this.#rules.probeLeaseMs;
  }

  #liveProbes(): ModelPermit[] {
    return this.#probes.filter((probe) => !probe.isSettled && this.now < this.#leaseEnd(probe));
  }

  #open(reason: string, atLeastMs: number): void {
    const { openForMs, openForGrowth, maxOpenForMs, openForJitter } = this.#rules;
    const most = Math.max(openForMs, maxOpenForMs);
    const grown = Math.min(openForMs * openForGrowth ** this.#openings++, most);
    const forMs = grown * (1 - openForJitter * this.#random());
    this.#openUntil = this.now + Math.max(forMs, atLeastMs);
    this.#become('open', reason);
  }

  #become(state: CircuitState, reason: string): void {
    this.reasons.push(reason);
    this.#begin(state);
  }

  #begin(state: CircuitState): void {
    this.state = state;
    this.generation++;
    this.#outcomes = [];
    this.#probes = [];
    this.#goodProbes = 0;
  }
}
