import { describe, expect, test } from 'vitest';
import {
  breakerWith,
  BROKEN,
  fail,
  isRefused,
  permitOf,
  succeed,
} from './breaker-under-test.case.ts';
import { CLOSED_METADATA } from './circuit-metadata.ts';

const startedAt = Date.UTC(2026, 0, 1) / 1000;

const WELL = {
  circuit_calls_in_window: 0,
  circuit_failures_in_window: 0,
  circuit_failure_rate: 0,
  circuit_consecutive_failures: 0,
  circuit_open_until: 0,
  circuit_half_open: false,
  circuit_retry_after_seconds: 0,
};

describe('metadata', () => {
  test('has its seven fields before the first call', () => {
    expect(breakerWith().breaker.metadata()).toEqual(WELL);
    expect(CLOSED_METADATA).toEqual(WELL);
  });

  test('counts calls and failures of the window, the share to three digits', () => {
    const { breaker } = breakerWith();
    succeed(breaker);
    fail(breaker, 2);
    expect(breaker.metadata()).toEqual({
      ...WELL,
      circuit_calls_in_window: 3,
      circuit_failures_in_window: 2,
      circuit_failure_rate: 0.667,
      circuit_consecutive_failures: 2,
    });
  });

  test('forgets what is older than the window', () => {
    const { breaker, clock } = breakerWith();
    fail(breaker, 2);
    clock.skip(60_000);
    expect(breaker.metadata()).toMatchObject({
      circuit_calls_in_window: 0,
      circuit_failures_in_window: 0,
      circuit_failure_rate: 0,
    });
  });

  test('of the call that opened it says what opened it, and until when', () => {
    const { breaker, clock } = breakerWith();
    clock.skip(1000);
    succeed(breaker);
    fail(breaker, 5);
    const opened = {
      circuit_calls_in_window: 6,
      circuit_failures_in_window: 5,
      circuit_failure_rate: 0.833,
      circuit_consecutive_failures: 5,
      circuit_open_until: startedAt + 61,
      circuit_half_open: false,
      circuit_retry_after_seconds: 60,
    };
    expect(breaker.metadata()).toEqual(opened);
    clock.skip(20_000);
    expect(breaker.metadata()).toEqual({ ...opened, circuit_retry_after_seconds: 40 });
  });

  test('never tells a caller who would be refused to come back in 0 seconds', () => {
    const { breaker, clock } = breakerWith();
    fail(breaker, 5);
    clock.skip(59_999);
    expect(breaker.metadata().circuit_retry_after_seconds).toBe(0.1);
    expect(isRefused(breaker)).toBe(true);
  });

  test('asks nobody to wait while a place for a probe is free', () => {
    const { breaker, clock } = breakerWith({ probes: 2 });
    fail(breaker, 5);
    clock.skip(60_000);
    permitOf(breaker);
    expect(breaker.metadata()).toMatchObject({
      circuit_half_open: true,
      circuit_open_until: 0,
      circuit_retry_after_seconds: 0,
    });
    permitOf(breaker);
    expect(breaker.metadata().circuit_retry_after_seconds).toBe(60);
  });

  test('of a probe says that it was one, whatever it led to', () => {
    const { breaker, clock } = breakerWith();
    fail(breaker, 5);
    clock.skip(60_000);
    const bad = permitOf(breaker);
    breaker.settle(bad, BROKEN);
    expect(breaker.metadata(bad)).toMatchObject({
      circuit_half_open: true,
      circuit_retry_after_seconds: 60,
    });
    clock.skip(60_000);
    const good = permitOf(breaker);
    breaker.settle(good);
    expect(breaker.metadata(good)).toEqual({ ...WELL, circuit_half_open: true });
    expect(breaker.metadata()).toEqual(WELL);
  });
});
