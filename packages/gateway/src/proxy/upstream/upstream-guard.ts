import { Circuits } from '@holdfast/core/guard';
import type {
  CircuitBreaker,
  CircuitFleet,
  Failure,
  GuardEnvironment,
  Permit,
  Refusal,
} from '@holdfast/core/guard';
import type { UpstreamConfig } from '../../config/gateway-config.ts';
import type { EnlistCircuits } from '../../fleet/isolations.ts';

/** What the circuits of upstreams need. */
export interface UpstreamEnvironment extends GuardEnvironment {
  /** Shares the circuits with other gateways. Default: nobody. */
  readonly fleet?: CircuitFleet;
  /** Lets a person isolate circuits that were not used yet. */
  readonly enlist?: EnlistCircuits | undefined;
  /** Told of a circuit whose call is over, for those who watch. */
  readonly onSettled?: (circuit: CircuitBreaker) => void;
}

/** Leave to ask an upstream, to be settled once. */
export interface Admission {
  /** How it went: a failure, or nothing where it went well. */
  settle(failure?: Failure): void;
  /** The client went away: that says nothing of the upstream. */
  release(): void;
  /** Whether it is the one call that finds out if an upstream is well again. */
  readonly isProbe: boolean;
}

/**
 * The circuits of an upstream. One is for the server and counts only that it cannot be reached; each model has
 * its own, so that one which fails to load does not take the others with it.
 */
export class UpstreamGuard {
  readonly #circuits: Circuits;
  readonly #server: string;
  readonly #mayTakeMs: number;
  readonly #onSettled: UpstreamEnvironment['onSettled'];
  readonly #leave: (() => void) | undefined;

  constructor(config: UpstreamConfig, { onSettled, enlist, ...environment }: UpstreamEnvironment) {
    const { name, circuit, apiKey, firstByteTimeoutMs } = config;
    // With the keys of clients, one who has asked too much would otherwise stop all the others.
    const isOwnKey = apiKey !== undefined;
    const settings = {
      ...circuit,
      opensOnRetryAfter: isOwnKey,
      counts: { 'rate-limited': isOwnKey },
    };
    const accepts = (circuit: string): boolean =>
      circuit === name || circuit.startsWith(`${name} `) || circuit.includes('*');
    this.#onSettled = onSettled;
    this.#server = name;
    this.#mayTakeMs = firstByteTimeoutMs;
    this.#circuits = new Circuits({
      ...environment,
      namespace: 'model',
      defaults: settings,
      overrides: { [name]: { ...settings, counts: ONLY_CONNECTIONS, opensOnRetryAfter: false } },
      maxCircuits: MOST_MODELS,
      accepts,
    });
    this.#leave = enlist?.(this.#circuits, accepts);
  }

  /** All circuits that were used, the server's among them. */
  get circuits(): readonly CircuitBreaker[] {
    return this.#circuits.list();
  }

  /** Takes no more calls. */
  close(): void {
    this.#leave?.();
    this.#circuits.clear();
  }

  /** Leave to ask for a model, or why and how long there is none. */
  admit(model: string): Admission | Refusal {
    const server = this.#circuits.get(this.#server);
    const outer = server.acquire(undefined, this.#mayTakeMs);
    if ('isRefused' in outer) {
      this.#onSettled?.(server);
      return outer;
    }
    const own = this.#circuits.get(`${this.#server} ${model}`);
    const inner = own.acquire(undefined, this.#mayTakeMs);
    if ('isRefused' in inner) {
      server.release(outer);
      this.#onSettled?.(own);
      return inner;
    }
    return new TwoPermits(server, outer, own, inner, this.#onSettled);
  }

  /** Whether it can bear to be asked once more after such a failure, its own or that of another. */
  affordsRetry(failure: Failure): boolean {
    return this.#circuits.get(this.#server).affordsRetry(failure);
  }
}

class TwoPermits implements Admission {
  readonly #server: CircuitBreaker;
  readonly #outer: Permit;
  readonly #own: CircuitBreaker;
  readonly #inner: Permit;

  readonly #onSettled: UpstreamEnvironment['onSettled'];

  constructor(
    server: CircuitBreaker,
    outer: Permit,
    own: CircuitBreaker,
    inner: Permit,
    onSettled: UpstreamEnvironment['onSettled'],
  ) {
    this.#onSettled = onSettled;
    this.#server = server;
    this.#outer = outer;
    this.#own = own;
    this.#inner = inner;
  }

  get isProbe(): boolean {
    return this.#outer.isProbe || this.#inner.isProbe;
  }

  settle(failure?: Failure): void {
    this.#own.settle(this.#inner, failure);
    this.#server.settle(this.#outer, failure);
    this.#onSettled?.(this.#own);
    this.#onSettled?.(this.#server);
  }

  release(): void {
    this.#own.release(this.#inner);
    this.#server.release(this.#outer);
  }
}

const ONLY_CONNECTIONS = { server: false, timeout: false, 'rate-limited': false } as const;
const MOST_MODELS = 1000;
