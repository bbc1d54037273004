import { CircuitOpenError, ToolTimeoutError } from '../../errors.ts';
import { checkOptions, text } from '../../internal/check-options.ts';
import { InvalidOptionError } from '../../errors.ts';
import { CircuitMachine, Permit } from '../../internal/circuit-machine.ts';
import type { CircuitState, Transition } from '../../internal/circuit-machine.ts';
import { FAILURE_RULES } from '../../internal/failure-class.ts';
import type { Failure } from '../../internal/failure-class.ts';
import { readReturned, readThrown } from '../../internal/read-failure.ts';
import { ENVIRONMENT_RULES, resolveEnvironment } from '../guard-environment.ts';
import type { GuardEnvironment, ResolvedEnvironment } from '../guard-environment.ts';
import { RetryBudget } from '../retry-budget.ts';
import type { FleetCircuit } from '../store/fleet-circuit.ts';
import type { CircuitMetadata } from './circuit-metadata.ts';
import type { CircuitMetrics, CircuitTransition } from './circuit-metrics.ts';
import { CIRCUIT_DEFAULTS, resolveCircuitOptions } from './circuit-options.ts';
import type { CircuitOptions, CircuitSettings } from './circuit-options.ts';

/** Why a call may not go ahead, and when to ask again. */
export interface Refusal {
  readonly isRefused: true;
  readonly circuit: string;
  readonly state: CircuitState;
  readonly retryAfterMs: number;
  /** Why, where it is not the state: the store of the fleet is away, and the circuit takes no calls then. */
  readonly reason?: 'store-lost';
}

/** What one call through a circuit is given. */
export interface BreakerCallOptions<T> {
  /** Ends the call early; that says nothing about the tool. */
  readonly signal?: AbortSignal | undefined;
  /** What to do instead while the circuit is open. Not used when the call itself fails. */
  readonly fallback?: ((refusal: Refusal) => T | Promise<T>) | undefined;
}

/**
 * Stops calling what keeps failing, and finds out by single calls when it is well again. Most use `call`;
 * `acquire` and `settle` are for those who cannot wrap the work in a function.
 */
export class CircuitBreaker {
  readonly name: string;
  #settings: CircuitSettings;
  readonly #environment: ResolvedEnvironment;
  readonly #machine: CircuitMachine;
  /** What calls pass: the machine, or its place in a fleet, which stands before it. */
  readonly #gate: Pick<CircuitMachine, 'acquire' | 'settle'>;
  protected readonly seat: FleetCircuit | undefined;
  #successes = 0;
  #failures = 0;
  #rejections = 0;
  #ignored = 0;
  /** A number from the first on: V8 then keeps it in place, where it would make a new one for every call. */
  #lastUsedAt = 0;
  #history: CircuitTransition[] | undefined;
  #note: string | undefined;
  /** What opened it, until it is closed. */
  #opening: Transition | undefined;
  #isIsolated = false;
  /** When it ends to be open, on the machine's clock and on the wall's. */
  #openEnd: { readonly openUntil: number; readonly seconds: number } | undefined;
  /** Those that were counted. Made by the first. */
  #incidents: WeakSet<object> | undefined;
  /** Made by the first retry: most circuits see none. */
  #retryBudget: RetryBudget | undefined;

  constructor(
    name: string,
    options: CircuitOptions = CIRCUIT_DEFAULTS,
    environment: GuardEnvironment | ResolvedEnvironment = {},
    fleet?: FleetPlace,
  ) {
    const expected = text(name);
    if (expected !== undefined) throw new InvalidOptionError('circuit name', expected, name);
    this.name = name;
    this.#settings = resolveCircuitOptions(options);
    this.#environment = 'emit' in environment ? environment : checkedEnvironment(environment);
    this.#machine = new CircuitMachine(this.settings, this.#environment.random, this);
    this.seat = fleet?.seat(name, this, this.#machine);
    this.#gate = this.seat ?? this.#machine;
    this.#lastUsedAt = this.#environment.clock.now();
  }

  get settings(): CircuitSettings {
    return this.#settings;
  }

  get state(): CircuitState {
    return this.#machine.stateAt(this.#environment.clock.now());
  }

  /** Whether it is open by hand. */
  get isIsolated(): boolean {
    return this.#isIsolated && this.state === 'open';
  }

  /** Changes with every transition: what began in an earlier one changes nothing. */
  get generation(): number {
    return this.#machine.generation;
  }

  /** When a call was last asked for, on the clock of the circuit. */
  get lastUsedAt(): number {
    return this.#lastUsedAt;
  }

  /** The last transitions, oldest first. */
  get history(): readonly CircuitTransition[] {
    return this.#history === undefined ? NO_HISTORY : [...this.#history];
  }

  metrics(): CircuitMetrics {
    const successes = this.#successes;
    const failures = this.#failures;
    const rejections = this.#rejections;
    const ignored = this.#ignored;
    const totalCalls = successes + failures + rejections + ignored;
    return {
      totalCalls,
      successes,
      failures,
      rejections,
      ignored,
      failureRate: totalCalls === 0 ? 0 : failures / totalCalls,
      rejectionRate: totalCalls === 0 ? 0 : rejections / totalCalls,
    };
  }

  /** A permit to be settled once, or why there is none. Who may take longer than `probeLeaseMs` says so in `mayTakeMs`. */
  acquire(now: number = this.#environment.clock.now(), mayTakeMs = 0): Permit | Refusal {
    this.#lastUsedAt = now;
    const leaseMs = Math.max(this.#settings.probeLeaseMs, mayTakeMs);
    const permit = this.#gate.acquire(now, leaseMs);
    if (permit !== undefined) return permit;
    const isShadow = this.settings.mode === 'shadow';
    if (!isShadow) this.#rejections++;
    const isLost = this.seat?.refusesAll === true;
    const retryAfterMs = isLost ? STORE_RETRY_MS : this.#machine.retryAfterMs(now);
    const why = isLost ? STORE_LOST : undefined;
    const circuit = this.name;
    this.#environment.emit?.({ type: 'circuit-refused', circuit, retryAfterMs, isShadow, ...why });
    if (isShadow) return new Permit(NO_GENERATION, now, false);
    const state = this.#machine.stateAt(now);
    return { isRefused: true, circuit, state, retryAfterMs, ...why };
  }

  /** Takes how the call went: a failure, or nothing where it succeeded. The first word counts. */
  settle(permit: Permit, failure?: Failure, now: number = this.#environment.clock.now()): void {
    if (permit.isSettled) return;
    if (failure === undefined) {
      this.#successes++;
      this.#retryBudget?.succeeded();
      this.#gate.settle(permit, 'success', now);
      return;
    }
    if (!this.counts(failure) || this.#isKnown(failure)) {
      this.#ignored++;
      this.#gate.settle(permit, 'ignored', now);
      return;
    }
    this.#failures++;
    const { maxRetryAfterMs, opensOnRetryAfter } = this.settings;
    // NaN, from a header that is no number, would leave it open for ever.
    const waitMs = Math.min(failure.retryAfterMs ?? 0, maxRetryAfterMs) || 0;
    const isCurrent = permit.generation === this.#machine.generation;
    this.#gate.settle(permit, 'failure', now, waitMs);
    if (opensOnRetryAfter && waitMs > 0 && isCurrent) this.#machine.openFor(waitMs, now);
  }

  /** Whether the incident that the failure is part of was counted already. */
  #isKnown({ incident }: Failure): boolean {
    if (incident === undefined) return false;
    this.#incidents ??= new WeakSet();
    if (this.#incidents.has(incident)) return true;
    this.#incidents.add(incident);
    return false;
  }

  /** Gives back a permit that was not used. It is not counted as a call. */
  release(permit: Permit, now: number = this.#environment.clock.now()): void {
    this.#gate.settle(permit, 'ignored', now);
  }

  /** Whether a failure counts against the tool. */
  counts(failure: Failure): boolean {
    return this.settings.counts[failure.class] ?? FAILURE_RULES[failure.class].counts;
  }

  /** Whether another attempt after such a failure may be made now: retries must not bury a tool that fails. */
  affordsRetry(failure: Failure, now: number = this.#environment.clock.now()): boolean {
    if (this.#retryBudget === undefined) {
      this.#retryBudget = new RetryBudget();
      this.seat?.pay(this.#retryBudget);
    }
    return this.#retryBudget.take(failure.class, now);
  }

  /**
   * Makes the call, unless the circuit is open: then the fallback, or `CircuitOpenError`. A timeout of `withTimeout`
   * around it counts at once where its signal is passed in the options.
   */
  call<T>(
    fn: (context: { readonly signal: AbortSignal | undefined }) => T | Promise<T>,
    options?: BreakerCallOptions<T>,
  ): Promise<T>;
  /** Makes the call with these arguments. */
  call<T, Args extends readonly unknown[]>(
    fn: (...args: Args) => T | Promise<T>,
    ...args: Args
  ): Promise<T>;
  call<T>(fn: (...args: never[]) => T | Promise<T>, ...args: readonly unknown[]): Promise<T> {
    const [options = NO_OPTIONS] = args;
    if (args.length > 1 || !isCallOptions<T>(options)) return this.#run(fn, args, NO_OPTIONS);
    return this.#run(fn, [{ signal: options.signal }], options);
  }

  async #run<T>(
    fn: (...args: never[]) => T | Promise<T>,
    args: readonly unknown[],
    { signal, fallback }: BreakerCallOptions<T>,
  ): Promise<T> {
    signal?.throwIfAborted();
    const admission = this.acquire();
    if ('isRefused' in admission) {
      if (fallback !== undefined) return fallback(admission);
      throw new CircuitOpenError(this.name, admission.retryAfterMs, admission.reason);
    }
    const stopWatching = signal && this.#watchTimeout(signal, admission);
    try {
      const value = await fn(...(args as never[]));
      this.settle(admission, readReturned(value));
      return value;
    } catch (error) {
      this.settle(admission, readThrown(error, signal, this.#environment.clock.wallTime()));
      throw error;
    } finally {
      stopWatching?.();
    }
  }

  /** Counts a timeout around the call as soon as it aborts the signal. Returns a function that stops this. */
  #watchTimeout(signal: AbortSignal, admission: Permit): () => void {
    const timedOut = (): void => {
      const { reason } = signal as { readonly reason: unknown };
      if (reason instanceof ToolTimeoutError)
        this.settle(admission, readThrown(reason, undefined, this.#environment.clock.wallTime()));
    };
    signal.addEventListener('abort', timedOut);
    return () => signal.removeEventListener('abort', timedOut);
  }

  /** Opens the circuit by hand, for `forMs` or until `reset`. */
  isolate(note: string, forMs: number = Infinity): void {
    if (!(forMs > 0)) throw new InvalidOptionError('forMs', 'milliseconds above 0', forMs);
    this.#withNote(note, (now) => {
      this.#machine.isolate(now, forMs);
    });
    this.seat?.command({ type: 'isolate', replica: this.seat.replica, note, forMs });
  }

  /** Closes the circuit by hand and forgets what led to its state. The metrics stay. */
  reset(note?: string): void {
    this.#withNote(note, (now) => {
      this.#machine.reset(now);
    });
    const told = note === undefined ? {} : { note };
    this.seat?.command({ type: 'reset', replica: this.seat.replica, ...told });
  }

  /** Follows other settings from now on. The state, what was counted and an open time that was promised stay. */
  reconfigure(options: CircuitOptions): void {
    this.#settings = resolveCircuitOptions(options);
    this.#machine.follow(this.#settings);
  }

  /** What a result tells of its circuit; with the permit or the outcome of the call that it is the result of. */
  metadata(of?: { readonly isProbe: boolean }): CircuitMetadata {
    const { clock } = this.#environment;
    const now = clock.now();
    const state = this.#machine.stateAt(now);
    // An open circuit counts nothing, and its result should say why it is open.
    const consecutive = (this.#opening ?? this.#machine).consecutiveFailures;
    const { calls, failures } = this.#opening ?? this.#machine.windowAt(now);
    const waitMs = this.#machine.retryAfterMs(now);
    const { openUntil } = this.#machine;
    return {
      circuit_calls_in_window: calls,
      circuit_failures_in_window: failures,
      circuit_failure_rate: calls === 0 ? 0 : Math.round((failures / calls) * 1000) / 1000,
      circuit_consecutive_failures: consecutive,
      circuit_open_until: this.#openUntilSeconds(openUntil, now),
      circuit_half_open: state === 'half-open' || of?.isProbe === true,
      circuit_retry_after_seconds: Math.ceil(waitMs / 100) / 10,
    };
  }

  /** The same for as long as it stays open: two clocks that are read again and again differ by fractions. */
  #openUntilSeconds(openUntil: number, now: number): number {
    if (openUntil === 0) return 0;
    if (this.#openEnd?.openUntil !== openUntil) {
      const wallTime = this.#environment.clock.wallTime() + openUntil - now;
      this.#openEnd = { openUntil, seconds: Math.round(wallTime) / 1000 };
    }
    return this.#openEnd.seconds;
  }

  /** The machine tells of its transitions here. */
  transitioned(transition: Transition, now: number): void {
    this.seat?.transitioned(transition, now);
    this.#isIsolated = transition.reason === 'isolated';
    this.#remember(transition);
    if (transition.to === 'closed') this.#opening = undefined;
    else this.#opening ??= transition;
    const { emit } = this.#environment;
    if (emit === undefined) return;
    const circuit = this.name;
    const { from, to, reason } = transition;
    const word = this.#replicaTold();
    if (to === 'half-open') emit({ type: 'circuit-half-opened', circuit });
    else if (to === 'closed') emit({ type: 'circuit-closed', circuit, reason, ...word });
    else {
      const openForMs = this.#machine.openUntil - now;
      const failures = failuresTold(transition);
      emit({ type: 'circuit-opened', circuit, from, reason, failures, openForMs, ...word });
    }
  }

  #remember({ from, to, reason }: Transition): void {
    const { historySize } = this.settings;
    if (historySize === 0) return;
    this.#history ??= [];
    const at = new Date(this.#environment.clock.wallTime()).toISOString();
    const said = this.#note ?? this.seat?.word?.note;
    const note = said === undefined ? {} : { note: said };
    const word = this.#replicaTold();
    this.#history.push({ at, from, to, reason, ...note, ...word, metrics: this.metrics() });
    if (this.#history.length > historySize) this.#history.shift();
  }

  /** Whose word a transition follows, where it is not our own. */
  #replicaTold(): { replica: string } | undefined {
    const replica = this.seat?.word?.replica;
    return replica === undefined ? undefined : { replica };
  }

  #withNote(note: string | undefined, change: (now: number) => void): void {
    this.#note = note;
    change(this.#environment.clock.now());
    this.#note = undefined;
  }
}

/** Where a circuit that many processes share gets its place among them. `CircuitFleet` is one. */
export interface FleetPlace {
  seat(name: string, circuit: CircuitBreaker, machine: CircuitMachine): FleetCircuit;
  /** Calls `make` with the name of every circuit that is not closed, now and later. Returns what ends that. */
  enlist?(make: (name: string) => void): () => void;
}

/** A store that is away is looked for at least once in so long. */
const STORE_RETRY_MS = 1000;
const STORE_LOST = Object.freeze({ reason: 'store-lost' } as const);
/** The generation of a permit that no state gave: its outcome is counted, and changes nothing. */
const NO_GENERATION = -1;
const NO_HISTORY: readonly CircuitTransition[] = Object.freeze([]);
const NO_OPTIONS = Object.freeze({});

/** Options have no other keys; everything else is an argument of the function. */
function isCallOptions<T>(value: unknown): value is BreakerCallOptions<T> {
  if (value === NO_OPTIONS) return true;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.keys(value).every((key) => key === 'signal' || key === 'fallback');
}

function checkedEnvironment(environment: GuardEnvironment): ResolvedEnvironment {
  checkOptions(environment, ENVIRONMENT_RULES, 'environment');
  return resolveEnvironment(environment);
}

function failuresTold({ reason, consecutiveFailures, failures }: Transition): number {
  if (reason === 'probe_failed') return 1;
  return reason === 'failure_threshold_exceeded' ? consecutiveFailures : failures;
}
