/**
 * The pure, synchronous circuit: it holds no timer and calls nothing. `acquire` says whether a call may
 * go ahead, `settle` says how it went. Every transition starts a new generation, so the late result of
 * an earlier state changes nothing.
 */
export interface CircuitSettings {
  /** Failures in a row that open the circuit. */
  readonly consecutiveFailures: number;
  /** How long it stays open before one probe is let through. */
  readonly openForMs: number;
}

export type CircuitState = 'closed' | 'open' | 'half-open';

export interface Permit {
  readonly generation: number;
}

export class CircuitMachine {
  readonly #settings: CircuitSettings;
  #state: CircuitState = 'closed';
  #generation = 0;
  #failures = 0;
  #openedAt = 0;
  #probing = false;

  constructor(settings: CircuitSettings) {
    this.#settings = settings;
  }

  get state(): CircuitState {
    return this.#state;
  }

  /** A permit to go ahead, or undefined when the call is refused. */
  acquire(now: number): Permit | undefined {
    if (this.#state === 'open' && now - this.#openedAt >= this.#settings.openForMs) {
      this.#become('half-open');
    }
    if (this.#state === 'open') return undefined;
    if (this.#state === 'half-open') {
      if (this.#probing) return undefined;
      this.#probing = true;
    }
    return { generation: this.#generation };
  }

  settle(permit: Permit, succeeded: boolean, now: number): void {
    if (permit.generation !== this.#generation) return;
    if (succeeded) {
      this.#failures = 0;
      if (this.#state === 'half-open') this.#become('closed');
      return;
    }
    this.#failures++;
    if (this.#state === 'half-open' || this.#failures >= this.#settings.consecutiveFailures) {
      this.#become('open');
      this.#openedAt = now;
    }
  }

  #become(state: CircuitState): void {
    this.#state = state;
    this.#generation++;
    this.#failures = 0;
    this.#probing = false;
  }
}
