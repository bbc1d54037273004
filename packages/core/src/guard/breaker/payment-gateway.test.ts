import { describe, expect, test } from 'vitest';
import { ManualClock } from '../../testing/manual-clock.ts';
import { Circuits } from '../circuits.ts';
import type { CircuitBreaker } from './circuit-breaker.ts';
import { BROKEN, fail, isRefused, permitOf, succeed } from './breaker-under-test.case.ts';

/** The story of an unstable payment gateway, with its numbers: a base for all tools, and one tool that is critical. */
function story(): { payment: CircuitBreaker; other: CircuitBreaker; clock: ManualClock } {
  const clock = new ManualClock();
  const circuits = new Circuits({
    clock,
    defaults: {
      windowMs: 60_000,
      minCalls: 10,
      failureRatio: 0.5,
      consecutiveFailures: 5,
      openForMs: 30_000,
    },
    overrides: {
      payment_api: { consecutiveFailures: 2, openForMs: 120_000, minCalls: 3 },
    },
  });
  const [payment] = circuits.forTool('payment_api');
  const [other] = circuits.forTool('weather');
  return { payment, other, clock };
}

describe('payment_api', () => {
  test('opens on its second failure in a row: the minimum of 3 calls is for the share only', () => {
    const { payment } = story();
    fail(payment);
    expect(payment.state).toBe('closed');
    fail(payment);
    expect(payment.state).toBe('open');
    expect(payment.metrics().totalCalls).toBe(2);
    expect(payment.history.at(-1)?.reason).toBe('failure_threshold_exceeded');
  });

  test('looks at the share of failures from its third call on', () => {
    const { payment } = story();
    fail(payment);
    succeed(payment);
    // Half of two calls: too few to mean anything.
    expect(payment.state).toBe('closed');
    fail(payment);
    expect(payment.history.at(-1)?.reason).toBe('failure_ratio_exceeded');
  });

  test('keeps the base for what is not overridden', () => {
    const { payment, clock } = story();
    expect(payment.settings).toMatchObject({ windowMs: 60_000, failureRatio: 0.5 });
    fail(payment);
    clock.skip(60_000);
    expect(payment.metadata().circuit_failures_in_window).toBe(0);
  });

  test('stays open for two full minutes', () => {
    const { payment, clock } = story();
    fail(payment, 2);
    expect(payment.metadata()).toMatchObject({
      circuit_consecutive_failures: 2,
      circuit_retry_after_seconds: 120,
      circuit_open_until: Date.UTC(2026, 0, 1, 0, 2) / 1000,
    });
    clock.skip(119_999);
    expect(isRefused(payment)).toBe(true);
    clock.skip(1);
    expect(isRefused(payment)).toBe(false);
  });

  test('lets a single test request through, and closes when it succeeds', () => {
    const { payment, clock } = story();
    fail(payment, 2);
    clock.skip(120_000);
    const probe = permitOf(payment);
    expect([payment.state, isRefused(payment)]).toEqual(['half-open', true]);
    payment.settle(probe);
    expect(payment.state).toBe('closed');
    succeed(payment, 5);
  });

  test('opens for another two minutes when the test request fails', () => {
    const { payment, clock } = story();
    fail(payment, 2);
    clock.skip(120_000);
    payment.settle(permitOf(payment), BROKEN);
    clock.skip(119_999);
    expect(isRefused(payment)).toBe(true);
    clock.skip(1);
    expect(isRefused(payment)).toBe(false);
  });

  test('opens on calls that time out, as on errors', () => {
    const { payment } = story();
    fail(payment, 2, { class: 'timeout', message: 'payment_api:timeout' });
    expect(payment.state).toBe('open');
  });
});

describe('any other tool', () => {
  test('opens on its fifth failure in a row, for 30 seconds', () => {
    const { other, clock } = story();
    fail(other, 4);
    expect(other.state).toBe('closed');
    fail(other);
    expect(other.metadata().circuit_retry_after_seconds).toBe(30);
    clock.skip(29_999);
    expect(other.state).toBe('open');
    clock.skip(1);
    expect(other.state).toBe('half-open');
  });

  test('opens when 5 of 10 calls fail, and not before the tenth', () => {
    const { other } = story();
    for (let pair = 0; pair < 4; pair++) {
      succeed(other);
      fail(other);
    }
    fail(other);
    expect([other.state, other.metadata().circuit_failure_rate]).toEqual(['closed', 0.556]);
    succeed(other);
    expect(other.history.at(-1)?.reason).toBe('failure_ratio_exceeded');
  });

  test('stays closed when 4 of 10 calls fail', () => {
    const { other } = story();
    succeed(other, 6);
    fail(other, 4);
    expect(other.state).toBe('closed');
  });

  test('does not remember the failures of an hour ago', () => {
    const { other, clock } = story();
    fail(other, 4);
    clock.skip(3_600_000);
    fail(other, 4);
    expect(other.state).toBe('closed');
  });

  test('is not touched by the trouble of payment_api', () => {
    const { payment, other } = story();
    fail(payment, 2);
    expect([payment.state, other.state]).toEqual(['open', 'closed']);
    succeed(other);
  });
});
