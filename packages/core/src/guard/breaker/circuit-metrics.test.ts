import { describe, expect, test } from 'vitest';
import {
  breakerWith,
  CANCELLED,
  fail,
  isRefused,
  permitOf,
  succeed,
} from './breaker-under-test.case.ts';
import { metricsToJson } from './circuit-metrics.ts';

describe('metrics', () => {
  test('of a circuit that nobody used are all 0', () => {
    expect(breakerWith().breaker.metrics()).toEqual({
      totalCalls: 0,
      successes: 0,
      failures: 0,
      rejections: 0,
      ignored: 0,
      failureRate: 0,
      rejectionRate: 0,
    });
  });

  test('count every call once, by how it ended', () => {
    const { breaker } = breakerWith();
    succeed(breaker, 3);
    fail(breaker, 2, CANCELLED);
    fail(breaker, 5);
    for (let call = 0; call < 10; call++) expect(isRefused(breaker)).toBe(true);
    expect(breaker.metrics()).toEqual({
      totalCalls: 20,
      successes: 3,
      failures: 5,
      rejections: 10,
      ignored: 2,
      failureRate: 0.25,
      rejectionRate: 0.5,
    });
  });

  test('do not count a call that is under way', () => {
    const { breaker } = breakerWith();
    permitOf(breaker);
    expect(breaker.metrics().totalCalls).toBe(0);
  });

  test('count rejections among all calls: 20 of 25', () => {
    const { breaker } = breakerWith();
    fail(breaker, 5);
    for (let call = 0; call < 20; call++) isRefused(breaker);
    expect(breaker.metrics()).toMatchObject({ rejectionRate: 0.8, failureRate: 0.2 });
  });

  test('survive transitions and resets', () => {
    const { breaker } = breakerWith();
    fail(breaker, 5);
    breaker.reset();
    expect(breaker.metrics().failures).toBe(5);
  });

  test('are a picture that does not move', () => {
    const { breaker } = breakerWith();
    const before = breaker.metrics();
    succeed(breaker);
    expect([before.successes, breaker.metrics().successes]).toEqual([0, 1]);
  });

  test('are written with underscores in JSON', () => {
    const { breaker } = breakerWith();
    succeed(breaker);
    expect(metricsToJson(breaker.metrics())).toEqual({
      total_calls: 1,
      successes: 1,
      failures: 0,
      rejections: 0,
      ignored: 0,
      failure_rate: 0,
      rejection_rate: 0,
    });
  });
});

describe('history', () => {
  test('is empty at first', () => {
    expect(breakerWith().breaker.history).toEqual([]);
  });

  test('tells when, from, to, why, and the metrics at that moment', () => {
    const { breaker, clock } = breakerWith();
    succeed(breaker, 2);
    fail(breaker, 5);
    for (let call = 0; call < 8; call++) isRefused(breaker);
    clock.skip(60_250);
    succeed(breaker);
    const [opened, halfOpened, closed] = breaker.history;
    expect(opened).toMatchObject({
      at: '2026-01-01T00:00:00.000Z',
      from: 'closed',
      to: 'open',
      reason: 'failure_threshold_exceeded',
      metrics: { failures: 5, successes: 2, rejections: 0 },
    });
    expect(halfOpened).toMatchObject({
      at: '2026-01-01T00:01:00.250Z',
      from: 'open',
      to: 'half-open',
      reason: 'recovery_timeout_expired',
      metrics: { rejections: 8 },
    });
    expect(closed).toMatchObject({
      from: 'half-open',
      to: 'closed',
      reason: 'probe_succeeded',
      metrics: { totalCalls: 16, successes: 3 },
    });
    expect(breaker.history.length).toBe(3);
  });

  test('keeps the last transitions, as many as it may', () => {
    const { breaker } = breakerWith({ historySize: 3 });
    for (let turn = 0; turn < 4; turn++) {
      breaker.isolate(`${turn}`);
      breaker.reset();
    }
    expect(breaker.history.map(({ reason, note }) => note ?? reason)).toEqual([
      'reset',
      '3',
      'reset',
    ]);
  });

  test('of size 0 keeps nothing', () => {
    const { breaker } = breakerWith({ historySize: 0 });
    breaker.isolate('x');
    expect(breaker.history).toEqual([]);
  });
});

describe('events', () => {
  test('tell every transition and every refusal, in order', () => {
    const { breaker, clock, events } = breakerWith();
    fail(breaker, 5);
    isRefused(breaker);
    clock.skip(60_000);
    fail(breaker);
    clock.skip(60_000);
    succeed(breaker);
    expect(events).toEqual([
      {
        type: 'circuit-opened',
        circuit: 'search',
        from: 'closed',
        reason: 'failure_threshold_exceeded',
        failures: 5,
        openForMs: 60_000,
      },
      { type: 'circuit-refused', circuit: 'search', retryAfterMs: 60_000, isShadow: false },
      { type: 'circuit-half-opened', circuit: 'search' },
      {
        type: 'circuit-opened',
        circuit: 'search',
        from: 'half-open',
        reason: 'probe_failed',
        failures: 1,
        openForMs: 60_000,
      },
      { type: 'circuit-half-opened', circuit: 'search' },
      { type: 'circuit-closed', circuit: 'search', reason: 'probe_succeeded' },
    ]);
  });

  test('tell the failures in the window where their share opened it', () => {
    const { breaker, events } = breakerWith();
    for (let pair = 0; pair < 5; pair++) {
      succeed(breaker);
      fail(breaker);
    }
    expect(events).toMatchObject([{ reason: 'failure_ratio_exceeded', failures: 5 }]);
  });

  test('come when the new state holds, so that a listener may change it', () => {
    const { breaker, events } = breakerWith();
    const told = events.push.bind(events);
    events.push = (...event) => {
      if (event[0]?.type === 'circuit-opened') breaker.reset('at once');
      return told(...event);
    };
    fail(breaker, 5);
    expect(breaker.state).toBe('closed');
    expect(breaker.history.map(({ to }) => to)).toEqual(['open', 'closed']);
  });
});
