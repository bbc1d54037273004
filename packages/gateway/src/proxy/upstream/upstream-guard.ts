import { Circuits } from '@holdfast/core/guard';
import type {
  CircuitBreaker,
  Failure,
  GuardEnvironment,
  Permit,
  Refusal,
} from '@holdfast/core/guard';
import type { UpstreamConfig } from '../../config/gateway-config.ts';

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

  constructor(config: UpstreamConfig, environment: GuardEnvironment) {
    const { name, circuit, apiKey, firstByteTimeoutMs } = config;
    // With the keys of clients, one who has asked too much would otherwise stop all the others.
    const isOwnKey = apiKey !== undefined;
    const settings = {
      ...circuit,
      opensOnRetryAfter: isOwnKey,
      counts: { 'rate-limited': isOwnKey },
    };
    this.#server = name;
    this.#mayTakeMs = firstByteTimeoutMs;
    this.#circuits = new Circuits({
      ...environment,
      defaults: settings,
      overrides: { [name]: { ...settings, counts: ONLY_CONNECTIONS, opensOnRetryAfter: false } },
      maxCircuits: MOST_MODELS,
    });
  }

  /** All circuits that were used, the server's among them. */
  get circuits(): readonly CircuitBreaker[] {
    return this.#circuits.list();
  }

  /** Leave to ask for a model, or why and how long there is none. */
  admit(model: string): Admission | Refusal {
    const server = this.#circuits.get(this.#server);
    const outer = server.acquire(undefined, this.#mayTakeMs);
    if ('isRefused' in outer) return outer;
    const own = this.#circuits.get(`${this.#server} ${model}`);
    const inner = own.acquire(undefined, this.#mayTakeMs);
    if ('isRefused' in inner) {
      server.release(outer);
      return inner;
    }
    return new TwoPermits(server, outer, own, inner);
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

  constructor(server: CircuitBreaker, outer: Permit, own: CircuitBreaker, inner: Permit) {
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
  }

  release(): void {
    this.#own.release(this.#inner);
    this.#server.release(this.#outer);
  }
}

const ONLY_CONNECTIONS = { server: false, timeout: false, 'rate-limited': false } as const;
const MOST_MODELS = 1000;
