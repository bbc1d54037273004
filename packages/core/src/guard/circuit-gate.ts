import type { Permit } from '../internal/circuit-machine.ts';
import type { Failure } from '../internal/failure-class.ts';
import type { CircuitBreaker } from './breaker/circuit-breaker.ts';
import type { AbandonReason, RetryGate } from './plan-retry.ts';

/** What a circuit says of the retries of a call it has let in. */
export class CircuitGate implements RetryGate {
  readonly #breaker: CircuitBreaker;
  readonly #permit: Permit;
  readonly #outer: RetryGate | undefined;

  /** `outer` is the gate of a circuit further out, which has a say too. */
  constructor(breaker: CircuitBreaker, permit: Permit, outer: RetryGate | undefined) {
    this.#breaker = breaker;
    this.#permit = permit;
    this.#outer = outer;
  }

  whyShut(): AbandonReason | undefined {
    const breaker = this.#breaker;
    // A probe is one request: several would be what the open time was to prevent.
    if (this.#permit.isProbe) return 'probe';
    const isShadow = breaker.settings.mode === 'shadow';
    if (!isShadow && breaker.state !== 'closed') return 'circuit-open';
    return this.#outer?.whyShut();
  }

  affords(failure: Failure, now: number): boolean {
    return this.#breaker.affordsRetry(failure, now);
  }
}
