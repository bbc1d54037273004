import { describe, expect, test } from 'vitest';
import { Executor } from '../executor.ts';
import {
  breakerWith,
  BROKEN,
  CANCELLED,
  fail,
  isRefused,
  permitOf,
  succeed,
} from './breaker-under-test.case.ts';

// What other circuit breakers got wrong, as in regressions.test.ts: these opened without need, or never.

describe('what opens a circuit', () => {
  // Failures in a row had no age: three of them, an hour apart, opened it.
  test('failures an hour apart do not', () => {
    const { breaker, clock } = breakerWith({ consecutiveFailures: 3 });
    for (let hour = 0; hour < 10; hour++) {
      fail(breaker);
      clock.skip(3_600_000);
    }
    expect(breaker.state).toBe('closed');
  });

  // The window moved on by one step per call: after an hour of silence it held failures an hour old.
  test('failures from before a long silence do not', () => {
    const { breaker, clock } = breakerWith({ consecutiveFailures: Infinity, minCalls: 7 });
    succeed(breaker, 20);
    fail(breaker, 19);
    clock.skip(3_600_000);
    succeed(breaker, 6);
    fail(breaker);
    expect(breaker.state).toBe('closed');
    expect(breaker.metadata().circuit_calls_in_window).toBe(7);
  });

  // With its defaults the first failure opened it.
  test('one failure does not, by default', () => {
    const { breaker } = breakerWith();
    fail(breaker);
    expect(breaker.state).toBe('closed');
  });

  // The default window was 60 ms, so nothing was ever in it.
  test('ten calls spread over a minute do, by default', () => {
    const { breaker, clock } = breakerWith();
    for (let call = 0; call < 5; call++) {
      succeed(breaker);
      clock.skip(5500);
      fail(breaker);
      clock.skip(5500);
    }
    expect(breaker.state).toBe('open');
  });

  // A share of 100 % meant "off".
  test('a share of 1 does when all fail', () => {
    const { breaker } = breakerWith({ consecutiveFailures: Infinity, failureRatio: 1 });
    fail(breaker, 10);
    expect(breaker.state).toBe('open');
  });

  // The calls it refused were in the denominator: the more it refused, the better the tool looked.
  test('calls that were refused are not in the window', () => {
    const { breaker, clock } = breakerWith({ minCalls: 2 });
    fail(breaker, 2);
    for (let call = 0; call < 100; call++) expect(isRefused(breaker)).toBe(true);
    clock.skip(60_000);
    succeed(breaker, 2);
    fail(breaker);
    expect(breaker.metadata()).toMatchObject({
      circuit_calls_in_window: 2,
      circuit_failure_rate: 0.5,
    });
    expect(breaker.state).toBe('open');
  });

  // A call that took longer than the window was out of it before it was counted.
  test('a call longer than the window counts when it ends', () => {
    const { breaker, clock } = breakerWith({ consecutiveFailures: Infinity, minCalls: 2 });
    const slow = [permitOf(breaker), permitOf(breaker)];
    clock.skip(120_000);
    for (const permit of slow) breaker.settle(permit, BROKEN);
    expect(breaker.state).toBe('open');
  });

  // Two callers who lost patience opened it.
  test('callers who give up do not', () => {
    const { breaker } = breakerWith({ consecutiveFailures: 1 });
    fail(breaker, 50, CANCELLED);
    expect([breaker.state, breaker.metadata().circuit_calls_in_window]).toEqual(['closed', 0]);
  });

  // A resolved `isError` was a success, and never opened anything.
  test('results that say they are errors do', async () => {
    const { breaker } = breakerWith();
    for (let call = 0; call < 5; call++) await breaker.call(() => ({ isError: true }));
    expect(breaker.state).toBe('open');
  });

  // A bad argument was held against a healthy server, which was then out of reach for everyone.
  test('results that only complain about the call do not', async () => {
    const { breaker } = breakerWith();
    const content = [{ type: 'text', text: 'Invalid arguments: "path" is required' }];
    for (let call = 0; call < 20; call++) await breaker.call(() => ({ isError: true, content }));
    expect(breaker.state).toBe('closed');
    expect(breaker.metrics().ignored).toBe(20);
  });

  // The mark of a timeout stayed on the context: the retry that succeeded was a failure too.
  test('a success after a timeout is a success', () => {
    const { breaker } = breakerWith({ consecutiveFailures: 2 });
    fail(breaker, 1, { class: 'timeout', message: 'timed out' });
    succeed(breaker);
    fail(breaker, 1, { class: 'timeout', message: 'timed out' });
    expect([breaker.state, breaker.metadata().circuit_consecutive_failures]).toEqual(['closed', 1]);
  });

  // The timeout was outermost, and never reached the circuit.
  test('calls that time out do', async () => {
    const { breaker, clock } = breakerWith();
    const executor = new Executor({ circuits: [breaker], timeoutMs: 100, clock });
    for (let call = 0; call < 5; call++) {
      const outcome = executor.run(() => new Promise(() => undefined));
      await clock.advance(100);
      expect(await outcome).toMatchObject({ ok: false, failure: { class: 'timeout' } });
    }
    expect(breaker.state).toBe('open');
  });

  // The last sample was looked at again and again, and one slow call counted as three.
  test('one slow call counts once', () => {
    const { breaker, clock } = breakerWith({ slowCallMs: 100, slowCallRatio: 0.5, minCalls: 3 });
    const slow = permitOf(breaker);
    clock.skip(100);
    for (let time = 0; time < 3; time++) breaker.settle(slow);
    expect([breaker.state, breaker.metadata().circuit_calls_in_window]).toEqual(['closed', 1]);
  });

  // Slow calls in a row were counted on after it had closed: one more opened it.
  test('one slow call after a recovery does not', () => {
    const { breaker, clock } = breakerWith({ slowCallMs: 100, slowCallRatio: 0.5, minCalls: 3 });
    const slowly = (): void => {
      const permit = permitOf(breaker);
      clock.skip(100);
      breaker.settle(permit);
    };
    for (let call = 0; call < 3; call++) slowly();
    expect(breaker.state).toBe('open');
    clock.skip(60_000);
    succeed(breaker);
    slowly();
    expect(breaker.state).toBe('closed');
  });

  // A call of less than a millisecond threw.
  test('a call that takes no time is not slow, and no mistake', () => {
    const { breaker } = breakerWith({ slowCallMs: 1, slowCallRatio: 0.1, minCalls: 1 });
    succeed(breaker, 3);
    expect(breaker.state).toBe('closed');
  });
});
