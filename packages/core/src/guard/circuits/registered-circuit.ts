import type { Permit, Transition } from '../../internal/circuit-machine.ts';
import { CircuitBreaker } from '../breaker/circuit-breaker.ts';
import type { FleetPlace, Refusal } from '../breaker/circuit-breaker.ts';
import type { CircuitSettings } from '../breaker/circuit-options.ts';
import type { ResolvedEnvironment } from '../guard-environment.ts';
import { isCircuitPattern } from './circuit-names.ts';

/** What takes a circuit back that it had forgotten. */
export interface CircuitOwner {
  readmit(circuit: RegisteredCircuit): void;
  /** The circuit is a pattern that is isolated by hand from now on, or no longer. */
  patternChanged(circuit: RegisteredCircuit, isIsolated: boolean): void;
  /** The pattern that is isolated by hand and matches the circuit. */
  isolatedPattern(circuit: RegisteredCircuit): CircuitBreaker | undefined;
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

  override transitioned(transition: Transition, now: number): void {
    super.transitioned(transition, now);
    if (isCircuitPattern(this.name))
      this.#owner.patternChanged(this, transition.reason === 'isolated');
  }

  override acquire(now?: number, mayTakeMs?: number): Permit | Refusal {
    if (this.isForgotten) this.#owner.readmit(this);
    const pattern = this.#owner.isolatedPattern(this);
    return pattern === undefined ? super.acquire(now, mayTakeMs) : pattern.acquire(now, mayTakeMs);
  }
}
