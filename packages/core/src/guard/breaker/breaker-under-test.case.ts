import type { Permit } from '../../internal/circuit-machine.ts';
import type { Failure } from '../../internal/failure-class.ts';
import { ManualClock } from '../../testing/manual-clock.ts';
import type { GuardEvent } from '../guard-event.ts';
import { CircuitBreaker } from './circuit-breaker.ts';
import type { CircuitOptions } from './circuit-options.ts';

export interface BreakerUnderTest {
  readonly breaker: CircuitBreaker;
  readonly clock: ManualClock;
  readonly events: GuardEvent[];
}

/** A circuit named `search` on a clock that stands still. */
export function breakerWith(
  options: CircuitOptions = {},
  random: () => number = () => 0,
): BreakerUnderTest {
  const clock = new ManualClock();
  const events: GuardEvent[] = [];
  const onEvent = (event: GuardEvent): void => void events.push(event);
  const breaker = new CircuitBreaker('search', options, { clock, random, onEvent });
  return { breaker, clock, events };
}

export const BROKEN: Failure = { class: 'server', message: 'HTTP 500' };
export const CANCELLED: Failure = { class: 'cancelled', message: 'the caller cancelled it' };

/** A permit, where the test is wrong if there is none. */
export function permitOf(breaker: CircuitBreaker): Permit {
  const admission = breaker.acquire();
  if ('isRefused' in admission) throw new Error('refused');
  return admission;
}

export function fail(breaker: CircuitBreaker, times = 1, failure: Failure = BROKEN): void {
  for (let call = 0; call < times; call++) breaker.settle(permitOf(breaker), failure);
}

export function succeed(breaker: CircuitBreaker, times = 1): void {
  for (let call = 0; call < times; call++) breaker.settle(permitOf(breaker));
}

export function isRefused(breaker: CircuitBreaker): boolean {
  return 'isRefused' in breaker.acquire();
}

/** A promise, and what ends it. */
export function gate<T>(): { promise: Promise<T>; open: (value: T) => void } {
  let open: (value: T) => void = () => undefined;
  const promise = new Promise<T>((resolve) => (open = resolve));
  return { promise, open };
}
