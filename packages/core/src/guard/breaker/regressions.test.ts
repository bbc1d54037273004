import { describe, expect, test } from 'vitest';
import { ManualClock } from '../../testing/manual-clock.ts';
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
import { CircuitBreaker } from './circuit-breaker.ts';

// What other circuit breakers got wrong, each found by running them. The comment names the defect.

describe('probes', () => {
  // Its window was kept over the recovery: the failures in it opened it again, three times over.
  test('a good probe closes the circuit, whatever is still in the window', () => {
    const { breaker, clock } = breakerWith({ openForMs: 30_000, windowMs: 60_000 });
    succeed(breaker);
    for (let pair = 0; pair < 5; pair++) {
      fail(breaker);
      if (breaker.state === 'closed') succeed(breaker);
    }
    expect(breaker.state).toBe('open');
    clock.skip(30_000);
    succeed(breaker);
    expect(breaker.state).toBe('closed');
    fail(breaker);
    expect(breaker.state).toBe('closed');
    expect(breaker.metadata().circuit_calls_in_window).toBe(1);
  });

  // A failure from before the trip opened it during the probe, and the good probe did not close it.
  test('a failure from before the trip does not disturb the probe', () => {
    const { breaker, clock } = breakerWith();
    const late = permitOf(breaker);
    fail(breaker, 5);
    clock.skip(60_000);
    const probe = permitOf(breaker);
    breaker.settle(late, BROKEN);
    breaker.settle(probe);
    expect(breaker.state).toBe('closed');
  });

  // A late success closed a circuit that was probing.
  test('a success from before the trip does not close a circuit that probes', () => {
    const { breaker, clock } = breakerWith();
    const late = permitOf(breaker);
    fail(breaker, 5);
    clock.skip(60_000);
    permitOf(breaker);
    breaker.settle(late);
    expect(breaker.state).toBe('half-open');
  });

  // A probe nobody reported blocked everyone for one open time, then opened it for a second: 62 s, not 30.
  test('a probe that is never heard of costs its lease, and not another open time', () => {
    const { breaker, clock } = breakerWith({ openForMs: 30_000, probeLeaseMs: 10_000 });
    fail(breaker, 5);
    clock.skip(30_000);
    permitOf(breaker);
    expect(breaker.acquire()).toMatchObject({ isRefused: true, retryAfterMs: 10_000 });
    clock.skip(10_000);
    expect([breaker.state, isRefused(breaker)]).toEqual(['half-open', false]);
  });

  // Without a timeout a hung probe held the only place for ever.
  test('a probe that hangs does not keep the circuit from recovering, with no timeout set', async () => {
    const { breaker, clock } = breakerWith();
    fail(breaker, 5);
    clock.skip(60_000);
    void breaker.call(() => new Promise(() => undefined));
    clock.skip(60_000);
    expect(await breaker.call(() => 'well')).toBe('well');
    expect(breaker.state).toBe('closed');
  });

  // An error that does not count closed the circuit, as if the tool were well.
  test('a probe that says nothing about the tool neither closes nor opens', () => {
    const { breaker, clock } = breakerWith();
    fail(breaker, 5);
    clock.skip(60_000);
    for (const failure of [CANCELLED, { class: 'not-found', message: '404' } as const]) {
      breaker.settle(permitOf(breaker), failure);
      expect(breaker.state).toBe('half-open');
    }
  });

  // Good probes were counted on from the half-open time before.
  test('good probes of an earlier half-open time are forgotten', () => {
    const { breaker, clock } = breakerWith({ successesToClose: 2 });
    fail(breaker, 5);
    clock.skip(60_000);
    succeed(breaker);
    breaker.isolate('by hand', 1000);
    clock.skip(1000);
    succeed(breaker);
    expect(breaker.state).toBe('half-open');
  });

  // Inner retries made three requests of one probe.
  test('a probe asks the tool once, however often calls are retried', async () => {
    const { breaker, clock } = breakerWith();
    fail(breaker, 5);
    clock.skip(60_000);
    const executor = new Executor({ circuits: [breaker], retry: { maxRetries: 3 }, clock });
    let asked = 0;
    const outcome = executor.run(() => {
      asked++;
      throw Object.assign(new Error('unavailable'), { status: 503 });
    });
    await clock.advance(20_000);
    expect(await outcome).toMatchObject({ ok: false, attempts: 1 });
    expect([asked, breaker.state]).toEqual([1, 'open']);
  });
});

describe('the open time', () => {
  // It was measured from the start of the call: one that failed slowly left the circuit open for no time.
  test('begins when the call fails, not when it began', () => {
    const { breaker, clock } = breakerWith({ consecutiveFailures: 1, openForMs: 10_000 });
    const slow = permitOf(breaker);
    clock.skip(60_000);
    breaker.settle(slow, BROKEN);
    clock.skip(9_999);
    expect(breaker.state).toBe('open');
  });

  // A late failure moved its start back, or forth: 30 s became 1 s, or never ended.
  test('is not moved by failures that come late', () => {
    const { breaker, clock } = breakerWith();
    const early = permitOf(breaker);
    clock.skip(29_000);
    const late = permitOf(breaker);
    fail(breaker, 5);
    clock.skip(30_000);
    breaker.settle(early, BROKEN);
    breaker.settle(late, BROKEN);
    expect(breaker.metadata().circuit_retry_after_seconds).toBe(30);
    clock.skip(29_999);
    expect(breaker.state).toBe('open');
    clock.skip(1);
    expect(breaker.state).toBe('half-open');
  });

  // Slow answers that came while it was open pushed its end out again and again.
  test('is not moved by slow calls that end late', () => {
    const { breaker, clock } = breakerWith({ slowCallMs: 1000, slowCallRatio: 0.5 });
    const slow = permitOf(breaker);
    fail(breaker, 5);
    clock.skip(30_000);
    breaker.settle(slow);
    expect(breaker.metadata().circuit_retry_after_seconds).toBe(30);
  });

  // It was kept by the clock on the wall, which can be set.
  test('does not depend on the clock on the wall', () => {
    class MovedClock extends ManualClock {
      override wallTime(): number {
        return super.wallTime() + movedMs;
      }
    }
    let movedMs = 0;
    const clock = new MovedClock();
    const breaker = new CircuitBreaker('search', {}, { clock });
    fail(breaker, 5);
    movedMs = 3_600_000;
    expect([breaker.state, isRefused(breaker)]).toEqual(['open', true]);
    movedMs = -3_600_000;
    clock.skip(60_000);
    expect(breaker.state).toBe('half-open');
  });

  // The state went on saying "open" after the time was over, until somebody called.
  test('is over when it is over, asked or not', () => {
    const { breaker, clock } = breakerWith();
    fail(breaker, 5);
    clock.skip(60_000);
    expect(breaker.state).toBe('half-open');
  });
});

describe('what is counted', () => {
  // A late success set the failures in a row to 0 while it was open.
  test('a late success does not hide why the circuit is open', () => {
    const { breaker } = breakerWith();
    const late = permitOf(breaker);
    fail(breaker, 5);
    breaker.settle(late);
    expect(breaker.metadata().circuit_consecutive_failures).toBe(5);
  });

  // An async function was not awaited: its promise was a success.
  test('an async function counts as what it ends with', async () => {
    const { breaker } = breakerWith({ consecutiveFailures: 1 });
    const answer = breaker.call(async () => {
      await Promise.resolve();
      throw new Error('broken');
    });
    await expect(answer).rejects.toThrow('broken');
    expect(breaker.metrics()).toMatchObject({ successes: 0, failures: 1 });
  });

  // A cancelled call was in the total and nowhere else.
  test('the total is the sum of its parts, cancelled calls too', () => {
    const { breaker } = breakerWith();
    fail(breaker, 3, CANCELLED);
    expect(breaker.metrics()).toMatchObject({ totalCalls: 3, ignored: 3 });
  });

  // The state was one for the process: tests, tenants and users shared it.
  test('two circuits share nothing, even by the same name', () => {
    const [first, second] = [breakerWith().breaker, breakerWith().breaker];
    fail(first, 5);
    expect([first.state, second.state]).toEqual(['open', 'closed']);
  });

  // A reset of a closed circuit was a transition from closed to closed.
  test('a reset of a closed circuit is no transition, and forgets its failures', () => {
    const { breaker, events } = breakerWith();
    fail(breaker, 4);
    breaker.reset();
    expect([breaker.history, events]).toEqual([[], []]);
    fail(breaker, 4);
    expect(breaker.state).toBe('closed');
  });

  // All samples were kept, and looking at the metrics overflowed the stack at 300,000.
  test('a third of a million calls cost no more room than one', () => {
    const { breaker, clock } = breakerWith({ slowCallMs: 10, slowCallRatio: 0.5 });
    for (let call = 0; call < 300_000; call++) {
      breaker.settle(permitOf(breaker));
      if (call % 100 === 0) clock.skip(1);
    }
    expect(breaker.metrics().successes).toBe(300_000);
    expect(breaker.metadata().circuit_calls_in_window).toBe(300_000);
  });
});

describe('refusals', () => {
  // The error had no fields, and no time to come back.
  test('say which circuit, and when to ask again', async () => {
    const { breaker, clock } = breakerWith();
    fail(breaker, 5);
    clock.skip(1);
    const answer = breaker.call(() => 1);
    await expect(answer).rejects.toMatchObject({ circuit: 'search', retryAfterMs: 59_999 });
  });

  // "Retry in 1 s" was all it said while a probe was under way.
  test('while a probe is under way say when its place is free at the latest', () => {
    const { breaker, clock } = breakerWith({ probeLeaseMs: 20_000 });
    fail(breaker, 5);
    clock.skip(60_000);
    permitOf(breaker);
    clock.skip(5000);
    expect(breaker.acquire()).toMatchObject({ state: 'half-open', retryAfterMs: 15_000 });
  });
});
