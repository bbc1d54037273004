import type {
  CircuitStore,
  FleetRules,
  HeldCircuit,
  SharedCircuit,
} from '../../packages/core/src/guard/store/circuit-store.ts';
import type { Held, Rules, Step } from './store-steps.ts';

/** One of the two stores, and what it has told. */
export class StoreSubject {
  readonly #store: CircuitStore;
  readonly #stepMs: number;
  readonly #fleetRules: Rules;
  readonly #pass: (ms: number) => Promise<'later' | 'aged'>;
  readonly #versions = new Map<string, { current: number; older: number }>();

  /** `pass` lets time pass: it is `later` then for the store, or what it keeps was `aged`, versions too. */
  constructor(
    store: CircuitStore,
    stepMs: number,
    fleetRules: Rules,
    pass: (ms: number) => Promise<'later' | 'aged'>,
  ) {
    this.#store = store;
    this.#stepMs = stepMs;
    this.#fleetRules = fleetRules;
    this.#pass = pass;
  }

  /** What the step leads to, in words that do not depend on which store it is. */
  async take(step: Step): Promise<unknown> {
    switch (step.type) {
      case 'pass':
        return this.#letPass(step.steps * this.#stepMs);
      case 'join': {
        const record = {
          id: step.replica,
          startedAt: 1,
          notClosed: ['x'],
          circuits: 1,
          calls: 2,
          failures: 3,
          version: '1',
        };
        const count = await this.#store.join(record, step.steps * this.#stepMs);
        return [count, await this.#store.replicas()];
      }
      case 'leave':
        await this.#store.leave(step.replica);
        return this.#store.replicas();
      case 'lease': {
        const { replica, token } = step;
        const request = {
          replica,
          token,
          ttlMs: step.steps * this.#stepMs,
          rules: this.#rules(step.otherRules),
        };
        const { granted, shared } = await this.#store.lease(step.circuit, request);
        return { granted, ...this.#told(step.circuit, shared) };
      }
      default:
        return this.#told(step.circuit, await this.#change(step));
    }
  }

  async #letPass(ms: number): Promise<void> {
    if ((await this.#pass(ms)) === 'later') return;
    const age = (version: number): number => (version === 0 ? 0 : version - ms);
    for (const [circuit, { current, older }] of this.#versions)
      this.#versions.set(circuit, { current: age(current), older: age(older) });
  }

  #change(
    step: Exclude<Step, { type: 'pass' | 'join' | 'leave' | 'lease' }>,
  ): Promise<SharedCircuit> {
    const { circuit, replica } = step;
    if (step.type === 'isolate') {
      const { note, forSteps } = step;
      return this.#store.override(circuit, {
        type: 'isolate',
        replica,
        note,
        forMs: forSteps * this.#stepMs,
      });
    }
    if (step.type === 'reset') {
      const note = step.note === undefined ? {} : { note: step.note };
      return this.#store.override(circuit, { type: 'reset', replica, ...note });
    }
    const retry =
      step.retrySteps === undefined ? {} : { retryAfterMs: step.retrySteps * this.#stepMs };
    const ruled = { replica, rules: this.#rules(step.otherRules), ...retry };
    if (step.type === 'settle')
      return this.#store.settle(circuit, { ...ruled, token: step.token, outcome: step.outcome });
    const calls = step.successes + step.failures;
    return this.#store.report(circuit, {
      ...ruled,
      scope: step.scope,
      calls,
      failures: step.failures,
      slow: Math.min(step.slow, calls),
      trailingFailures: Math.min(step.trailing, step.failures),
      version: this.#version(circuit, step.seen),
      tokensTaken: step.tokensTaken,
      tokensGained: step.tokensGained,
      tokenCapacity: 100,
      ...(step.trip !== undefined && { trip: step.trip }),
      ...(step.held !== undefined && { held: this.#held(step.held) }),
    });
  }

  #rules(rules: Rules = this.#fleetRules): FleetRules {
    const { windowSteps, openSteps, maxOpenSteps, ...rest } = rules;
    return {
      ...rest,
      windowMs: windowSteps * this.#stepMs,
      openForMs: openSteps * this.#stepMs,
      maxOpenForMs: maxOpenSteps * this.#stepMs,
    };
  }

  #held({ leftSteps, note, ...rest }: Held): HeldCircuit {
    return { ...rest, openForMs: leftSteps * this.#stepMs, ...(note !== undefined && { note }) };
  }

  #version(circuit: string, which: 'none' | 'current' | 'older' | 'newer'): number {
    const { current, older } = this.#versions.get(circuit) ?? { current: 0, older: 0 };
    return { none: 0, current, older, newer: current + 1_000_000_000 }[which];
  }

  #told(circuit: string, shared: SharedCircuit): object {
    const { version, openForMs, probeInMs, tokens, ...rest } = shared;
    const known = this.#versions.get(circuit) ?? { current: 0, older: 0 };
    const went = Math.sign(version - known.current);
    if (went !== 0) this.#versions.set(circuit, { current: version, older: known.current });
    // Redis is a little ahead, as time really passes: what is left is never more than in memory, and less by little.
    const inSteps = (ms: number): number =>
      ms === Infinity ? Infinity : Math.ceil(ms / this.#stepMs);
    return {
      ...rest,
      went,
      isUnknown: version === 0,
      openSteps: inSteps(openForMs),
      probeSteps: inSteps(probeInMs),
      tokens: tokens.toFixed(6),
    };
  }
}
