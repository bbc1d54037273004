import { describe, expect, test } from 'vitest';
import { CircuitOpenError } from '../../errors.ts';
import {
  breakerWith,
  BROKEN,
  CANCELLED,
  fail,
  gate,
  isRefused,
  permitOf,
} from './breaker-under-test.case.ts';

describe('50 callers at once', () => {
  test.each([1, 3])('of a half-open circuit: %i reach the tool', async (probes) => {
    const { breaker, clock } = breakerWith({ probes, successesToClose: probes });
    fail(breaker, 5);
    clock.skip(60_000);
    let reached = 0;
    const { promise, open } = gate<string>();
    const answers = Array.from({ length: 50 }, () =>
      breaker.call(() => {
        reached++;
        return promise;
      }),
    );
    await clock.advance(10);
    expect([reached, breaker.state]).toEqual([probes, 'half-open']);
    open('well');
    const ended = await Promise.allSettled(answers);
    const refused = ended.filter((one) => one.status === 'rejected');
    expect(refused.length).toBe(50 - probes);
    for (const { reason } of refused) {
      expect(reason).toBeInstanceOf(CircuitOpenError);
      expect(reason).toMatchObject({ retryAfterMs: 60_000 });
    }
    expect([reached, breaker.state]).toEqual([probes, 'closed']);
    expect(breaker.metrics()).toMatchObject({ rejections: 50 - probes, successes: probes });
  });

  test('of a closed circuit are counted exactly', async () => {
    const { breaker, clock } = breakerWith({ failureRatio: Infinity });
    const { promise, open } = gate<string>();
    const answers = Array.from({ length: 50 }, () => breaker.call(() => promise));
    await clock.advance(10);
    expect(breaker.metrics().totalCalls).toBe(0);
    open('done');
    await Promise.all(answers);
    expect(breaker.metrics()).toMatchObject({ totalCalls: 50, successes: 50 });
  });

  test('that all fail open it once', async () => {
    const { breaker, clock, events } = breakerWith();
    const { promise, open } = gate<never>();
    const answers = Array.from({ length: 50 }, () =>
      breaker.call(async () => {
        await promise;
        throw new Error('broken');
      }),
    );
    await clock.advance(10);
    open(undefined as never);
    await Promise.allSettled(answers);
    expect([breaker.state, breaker.generation, events.length]).toEqual(['open', 1, 1]);
    expect(breaker.metrics()).toMatchObject({ failures: 50, rejections: 0 });
  });

  test('one after the other: as many failures as it takes, the rest refused', async () => {
    const { breaker } = breakerWith();
    let reached = 0;
    for (let call = 0; call < 20; call++) {
      const answer = breaker.call(() => {
        reached++;
        throw new Error('broken');
      });
      await expect(answer).rejects.toThrow();
    }
    expect(reached).toBe(5);
    expect(breaker.metrics()).toMatchObject({ failures: 5, rejections: 15 });
  });
});

describe('results that come late', () => {
  test('do not change a circuit that opened meanwhile', () => {
    const { breaker, clock } = breakerWith();
    const [good, bad] = [permitOf(breaker), permitOf(breaker)];
    fail(breaker, 5);
    const before = breaker.metadata();
    clock.skip(30_000);
    breaker.settle(good);
    breaker.settle(bad, BROKEN);
    expect(breaker.metadata()).toEqual({ ...before, circuit_retry_after_seconds: 30 });
  });

  test('do not disturb a probe', () => {
    const { breaker, clock } = breakerWith();
    const [good, bad] = [permitOf(breaker), permitOf(breaker)];
    fail(breaker, 5);
    clock.skip(60_000);
    const probe = permitOf(breaker);
    breaker.settle(good);
    expect(breaker.state).toBe('half-open');
    breaker.settle(bad, BROKEN);
    expect([breaker.state, isRefused(breaker)]).toEqual(['half-open', true]);
    breaker.settle(probe);
    expect(breaker.state).toBe('closed');
  });

  test('do not count against a circuit that closed again', () => {
    const { breaker, clock } = breakerWith({ consecutiveFailures: 2 });
    const late = [permitOf(breaker), permitOf(breaker), permitOf(breaker)];
    fail(breaker, 2);
    clock.skip(60_000);
    breaker.settle(permitOf(breaker));
    for (const permit of late) breaker.settle(permit, BROKEN);
    expect(breaker.state).toBe('closed');
    expect(breaker.metadata()).toMatchObject({
      circuit_calls_in_window: 0,
      circuit_consecutive_failures: 0,
    });
    // They happened all the same.
    expect(breaker.metrics().failures).toBe(5);
  });

  test('of an earlier probe decide nothing about the next ones', () => {
    const { breaker, clock } = breakerWith({ probes: 2 });
    fail(breaker, 5);
    clock.skip(60_000);
    const [first, second] = [permitOf(breaker), permitOf(breaker)];
    breaker.settle(first, BROKEN);
    breaker.settle(second);
    expect(breaker.state).toBe('open');
  });
});

describe('a probe that hangs', () => {
  test('loses its place when its lease ends, and what it says then changes nothing', () => {
    const { breaker, clock } = breakerWith({ probeLeaseMs: 5000 });
    fail(breaker, 5);
    clock.skip(60_000);
    const hung = permitOf(breaker);
    clock.skip(4999);
    expect(isRefused(breaker)).toBe(true);
    clock.skip(1);
    const next = permitOf(breaker);
    breaker.settle(hung, BROKEN);
    expect([breaker.state, isRefused(breaker)]).toEqual(['half-open', true]);
    breaker.settle(next);
    expect(breaker.state).toBe('closed');
  });

  test('does not close the circuit either', () => {
    const { breaker, clock } = breakerWith({ probeLeaseMs: 5000 });
    fail(breaker, 5);
    clock.skip(60_000);
    const hung = permitOf(breaker);
    clock.skip(5000);
    breaker.settle(hung);
    expect(breaker.state).toBe('half-open');
  });

  test('that is cancelled frees its place for exactly one other', () => {
    const { breaker, clock } = breakerWith();
    fail(breaker, 5);
    clock.skip(60_000);
    breaker.settle(permitOf(breaker), CANCELLED);
    permitOf(breaker);
    expect(isRefused(breaker)).toBe(true);
  });
});
