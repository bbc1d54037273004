import { describe, expect, test } from 'vitest';
import { Permit } from '../internal/circuit-machine.ts';
import { ManualClock } from '../testing/manual-clock.ts';
import { CircuitBreaker } from './breaker/circuit-breaker.ts';
import type { CircuitOptions } from './breaker/circuit-options.ts';
import { CircuitGate } from './circuit-gate.ts';
import type { RetryGate } from './plan-retry.ts';

const failure = { class: 'server', message: 'HTTP 503' } as const;

/** A circuit that one failure opens, and the gate of a call it has let in. */
function admitted(
  options: CircuitOptions = {},
  outer?: RetryGate,
): { breaker: CircuitBreaker; gate: CircuitGate; permit: Permit; clock: ManualClock } {
  const clock = new ManualClock();
  const breaker = new CircuitBreaker('c', { consecutiveFailures: 1, ...options }, { clock });
  const permit = breaker.acquire();
  if (!(permit instanceof Permit)) throw new Error('refused');
  return { breaker, gate: new CircuitGate(breaker, permit, outer), permit, clock };
}

/** Another call fails, which opens the circuit. */
function open(breaker: CircuitBreaker): void {
  const permit = breaker.acquire();
  if (permit instanceof Permit) breaker.settle(permit, failure);
}

describe('CircuitGate', () => {
  test('lets retries through while the circuit is closed', () => {
    expect(admitted().gate.whyShut()).toBeUndefined();
  });

  test('shuts when the circuit opens, and stays shut while probes decide', () => {
    const { breaker, gate, clock } = admitted({ openForMs: 1000 });
    open(breaker);
    expect(gate.whyShut()).toBe('circuit-open');
    clock.skip(1000);
    expect([breaker.state, gate.whyShut()]).toEqual(['half-open', 'circuit-open']);
  });

  test('opens again when the circuit has closed meanwhile', () => {
    const { breaker, gate } = admitted();
    open(breaker);
    breaker.reset();
    expect(gate.whyShut()).toBeUndefined();
  });

  test('does not shut for a circuit that only observes', () => {
    const { breaker, gate } = admitted({ mode: 'shadow' });
    open(breaker);
    expect([breaker.state, gate.whyShut()]).toEqual(['open', undefined]);
  });

  test('is shut for a probe', () => {
    const { breaker, clock } = admitted({ openForMs: 1000 });
    open(breaker);
    clock.skip(1000);
    const probe = breaker.acquire();
    if (!(probe instanceof Permit)) throw new Error('refused');
    expect(new CircuitGate(breaker, probe, undefined).whyShut()).toBe('probe');
  });

  test('is shut while one further out is', () => {
    const outer: RetryGate = { whyShut: () => 'probe', affords: () => true };
    expect(admitted({}, outer).gate.whyShut()).toBe('probe');
  });

  test('affords what the budget of the circuit does', () => {
    const { gate } = admitted();
    let count = 0;
    while (count < 1000 && gate.affords(failure, 0)) count++;
    expect(count).toBe(100);
  });
});
