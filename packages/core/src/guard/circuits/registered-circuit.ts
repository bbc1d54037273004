import type { Permit } from '../../internal/circuit-machine.ts';
import { CircuitBreaker } from '../breaker/circuit-breaker.ts';
import type { FleetPlace, Refusal } from '../breaker/circuit-breaker.ts';
import type { CircuitSettings } from '../breaker/circuit-options.ts';
import type { ResolvedEnvironment } from '../guard-environment.ts';

/** What takes a circuit back that it had forgotten. */
export interface CircuitOwner {
  readmit(circuit: RegisteredCircuit): void;
}

/**
 * A circuit of a registry. Whoever keeps one may use it after the registry has forgotten it: then it joins
 * again, so that it does not go on unseen.
 */
export class RegisteredCircuit extends CircuitBreaker {
  isForgotten = false;
  readonly #owner: CircuitOwner;

  constructor(
    name: string,
    settings: CircuitSettings,
    environment: ResolvedEnvironment,
    owner: CircuitOwner,
    fleet?: FleetPlace,
  ) {
    super(name, settings, environment, fleet);
    this.#owner = owner;
  }

  /** The registry has it, or has it again. */
  admitted(): void {
    this.isForgotten = false;
    this.seat?.join();
  }

  forgotten(): void {
    this.isForgotten = true;
    this.seat?.leave();
  }

  override acquire(now?: number, mayTakeMs?: number): Permit | Refusal {
    if (this.isForgotten) this.#owner.readmit(this);
    return super.acquire(now, mayTakeMs);
  }
}
