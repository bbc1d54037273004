import { describe, expect, test } from 'vitest';
import { CircuitOpenError } from '../../errors.ts';
import {
  breakerWith,
  BROKEN,
  CANCELLED,
  fail,
  isRefused,
  permitOf,
  succeed,
} from './breaker-under-test.case.ts';
import type { Refusal } from './circuit-breaker.ts';

const broken = (): never => {
  throw new Error('broken');
};

describe('CircuitBreaker.call', () => {
  test('returns what the function returns, and throws what it throws', async () => {
    const { breaker } = breakerWith();
    expect(await breaker.call(() => 'now')).toBe('now');
    expect(await breaker.call(async () => 'later')).toBe('later');
    const error = new Error('broken');
    await expect(breaker.call(() => Promise.reject(error))).rejects.toBe(error);
    expect(breaker.metrics()).toMatchObject({ successes: 2, failures: 1 });
  });

  test('hands the signal to the function', async () => {
    const { breaker } = breakerWith();
    const { signal } = new AbortController();
    expect(await breaker.call((context) => context.signal, { signal })).toBe(signal);
  });

  test('stays closed one failure below the threshold', async () => {
    const { breaker } = breakerWith({ consecutiveFailures: 3 });
    for (let call = 0; call < 2; call++) await expect(breaker.call(broken)).rejects.toThrow();
    expect(breaker.state).toBe('closed');
    await expect(breaker.call(broken)).rejects.toThrow('broken');
    expect(breaker.state).toBe('open');
  });

  test('refuses at once while open, and does not call', async () => {
    const { breaker, clock } = breakerWith();
    fail(breaker, 5);
    clock.skip(12_500);
    let called = false;
    const answer = breaker.call(() => (called = true));
    await expect(answer).rejects.toThrow(CircuitOpenError);
    await expect(answer).rejects.toMatchObject({
      code: 'circuit-open',
      circuit: 'search',
      retryAfterMs: 47_500,
      message: 'circuit search is open; retry in 48 s',
    });
    expect(called).toBe(false);
  });

  test('goes back to normal after a good probe', async () => {
    const { breaker, clock } = breakerWith();
    fail(breaker, 5);
    clock.skip(60_000);
    expect(breaker.state).toBe('half-open');
    expect(await breaker.call(() => 'fine')).toBe('fine');
    expect(breaker.state).toBe('closed');
    succeed(breaker, 3);
  });

  test('stays open for another while after a bad probe', async () => {
    const { breaker, clock } = breakerWith();
    fail(breaker, 5);
    clock.skip(60_000);
    await expect(breaker.call(broken)).rejects.toThrow('broken');
    clock.skip(59_999);
    expect([breaker.state, isRefused(breaker)]).toEqual(['open', true]);
    clock.skip(1);
    expect(breaker.state).toBe('half-open');
  });

  test('uses the fallback while it refuses, open or half-open', async () => {
    const { breaker, clock } = breakerWith();
    fail(breaker, 5);
    const fallback = ({ circuit, state, retryAfterMs }: Refusal): string =>
      `${circuit} ${state} ${retryAfterMs}`;
    expect(await breaker.call(() => 'called', { fallback })).toBe('search open 60000');
    clock.skip(60_000);
    permitOf(breaker);
    expect(await breaker.call(() => 'called', { fallback })).toBe('search half-open 60000');
    expect(breaker.metrics().rejections).toBe(2);
  });

  test('does not use the fallback for a call that fails', async () => {
    const { breaker } = breakerWith();
    const fallback = (): string => 'fallback';
    await expect(breaker.call<string>(broken, { fallback })).rejects.toThrow('broken');
  });

  test.each([
    ['isError', { isError: true, content: [] }, 1],
    ['is_error', { is_error: true }, 1],
    ['is_error over isError', { is_error: false, isError: true }, 0],
    ['is_error over isError, the other way', { is_error: true, isError: false }, 1],
    ['neither', { content: [] }, 0],
    ['isError that is false', { isError: false }, 0],
    ['nothing', undefined, 0],
  ])('counts a result by its own word: %s', async (_, result, failures) => {
    const { breaker } = breakerWith();
    expect(await breaker.call<unknown>(() => result)).toBe(result);
    expect(breaker.metrics()).toMatchObject({ failures, successes: 1 - failures });
  });
});

describe('a caller who aborts', () => {
  test('says nothing about the tool', async () => {
    const { breaker } = breakerWith({ consecutiveFailures: 1 });
    const controller = new AbortController();
    const answer = breaker.call(
      ({ signal }) =>
        new Promise((_, reject) => {
          signal?.addEventListener('abort', () => {
            reject(signal.reason as Error);
          });
        }),
      { signal: controller.signal },
    );
    controller.abort();
    await expect(answer).rejects.toThrow();
    expect(breaker.state).toBe('closed');
    expect(breaker.metrics()).toMatchObject({ totalCalls: 1, ignored: 1, failures: 0 });
  });

  test('before the call makes none', async () => {
    const { breaker } = breakerWith();
    let called = false;
    const answer = breaker.call(() => (called = true), { signal: AbortSignal.abort() });
    await expect(answer).rejects.toThrow();
    expect([called, breaker.metrics().totalCalls]).toEqual([false, 0]);
  });

  test('gives the place of a probe back at once', () => {
    const { breaker, clock } = breakerWith();
    fail(breaker, 5);
    clock.skip(60_000);
    const probe = permitOf(breaker);
    expect(isRefused(breaker)).toBe(true);
    breaker.settle(probe, CANCELLED);
    expect(permitOf(breaker).isProbe).toBe(true);
  });
});

describe('a permit', () => {
  test('is settled once: the first word counts', () => {
    const { breaker } = breakerWith({ consecutiveFailures: 1 });
    const permit = permitOf(breaker);
    breaker.settle(permit);
    breaker.settle(permit, BROKEN);
    expect(breaker.state).toBe('closed');
    expect(breaker.metrics()).toMatchObject({ totalCalls: 1, successes: 1 });
  });

  test('that was not used is given back, and counts as no call', () => {
    const { breaker, clock } = breakerWith();
    fail(breaker, 5);
    clock.skip(60_000);
    const before = breaker.metrics();
    const probe = permitOf(breaker);
    breaker.release(probe);
    breaker.settle(probe, BROKEN);
    expect(breaker.metrics()).toEqual(before);
    expect([breaker.state, isRefused(breaker)]).toEqual(['half-open', false]);
  });
});

describe('which failures count', () => {
  test.each([
    ['transport', 'open'],
    ['timeout', 'open'],
    ['server', 'open'],
    ['rate-limited', 'open'],
    ['tool-error', 'open'],
    ['invalid-arguments', 'closed'],
    ['auth', 'closed'],
    ['not-found', 'closed'],
    ['cancelled', 'closed'],
    ['refused', 'closed'],
  ] as const)('%s leaves a circuit that opens at one %s', (failureClass, state) => {
    const { breaker } = breakerWith({ consecutiveFailures: 1 });
    fail(breaker, 1, { class: failureClass, message: 'told' });
    expect(breaker.state).toBe(state);
  });

  test('counts one incident once, however many calls it failed', () => {
    const { breaker } = breakerWith({ consecutiveFailures: 2 });
    const incident = {};
    fail(breaker, 200, { class: 'transport', message: 'crashed', incident });
    expect(breaker.metrics()).toMatchObject({ failures: 1, ignored: 199 });
    expect(breaker.state).toBe('closed');
    fail(breaker, 1, { class: 'transport', message: 'crashed again', incident: {} });
    expect(breaker.state).toBe('open');
  });

  test('is for the options to say', () => {
    const { breaker } = breakerWith({
      consecutiveFailures: 1,
      counts: { 'tool-error': false, 'not-found': true },
    });
    fail(breaker, 3, { class: 'tool-error', message: 'told' });
    expect(breaker.state).toBe('closed');
    fail(breaker, 1, { class: 'not-found', message: 'told' });
    expect(breaker.state).toBe('open');
  });
});

describe('isolation', () => {
  test('refuses until it is reset', async () => {
    const { breaker, clock } = breakerWith();
    breaker.isolate('database is being moved');
    clock.skip(10 * 3_600_000);
    await expect(breaker.call(() => 1)).rejects.toThrow(
      'circuit search is open; retry when it is reset',
    );
    breaker.reset('database is back');
    expect(await breaker.call(() => 1)).toBe(1);
    expect(breaker.history.map(({ reason, note }) => [reason, note])).toEqual([
      ['isolated', 'database is being moved'],
      ['reset', 'database is back'],
    ]);
  });

  test('ends by a probe where it has an end', () => {
    const { breaker, clock } = breakerWith();
    breaker.isolate('restart', 5000);
    clock.skip(4999);
    expect([breaker.state, isRefused(breaker)]).toEqual(['open', true]);
    clock.skip(1);
    expect(permitOf(breaker).isProbe).toBe(true);
    expect(breaker.history.at(-1)).not.toHaveProperty('note');
  });

  test.each([0, -1, NaN])('for %s ms is refused', (forMs) => {
    const { breaker } = breakerWith();
    expect(() => {
      breaker.isolate('x', forMs);
    }).toThrow(`forMs: expected milliseconds above 0, got ${forMs}`);
  });
});

describe('shadow mode', () => {
  test('never refuses, and tells when it would have', async () => {
    const { breaker, clock, events } = breakerWith({ mode: 'shadow', consecutiveFailures: 2 });
    fail(breaker, 2);
    expect(breaker.state).toBe('open');
    expect(await breaker.call(() => 'called')).toBe('called');
    expect(events.at(-1)).toEqual({
      type: 'circuit-refused',
      circuit: 'search',
      retryAfterMs: 60_000,
      isShadow: true,
    });
    // What ran is counted as what it was, so nothing was rejected.
    expect(breaker.metrics()).toMatchObject({ totalCalls: 3, successes: 1, rejections: 0 });
    clock.skip(60_000);
    expect(await breaker.call(() => 'probe')).toBe('probe');
    expect(breaker.state).toBe('closed');
  });

  test('changes no state by what it would have refused', () => {
    const { breaker, clock } = breakerWith({ mode: 'shadow', consecutiveFailures: 2 });
    fail(breaker, 2);
    fail(breaker, 10);
    clock.skip(60_000);
    const probe = permitOf(breaker);
    fail(breaker, 10);
    expect(breaker.state).toBe('half-open');
    breaker.settle(probe);
    expect(breaker.state).toBe('closed');
  });
});

describe('Retry-After', () => {
  const limited = (retryAfterMs: number) =>
    ({ class: 'rate-limited', message: 'HTTP 429', retryAfterMs }) as const;

  test('keeps an opening circuit open at least that long', () => {
    const { breaker, clock } = breakerWith({ consecutiveFailures: 1 });
    fail(breaker, 1, limited(90_000));
    clock.skip(89_999);
    expect(breaker.state).toBe('open');
    clock.skip(1);
    expect(breaker.state).toBe('half-open');
  });

  test.each([
    ['is believed up to the maximum', 10 * 3_600_000, 900_000],
    ['does not shorten the open time', 10, 60_000],
    ['that is no number is not believed', NaN, 60_000],
  ])('%s', (_, retryAfterMs, openForMs) => {
    const { breaker, events } = breakerWith({ consecutiveFailures: 1 });
    fail(breaker, 1, limited(retryAfterMs));
    expect(events).toMatchObject([{ type: 'circuit-opened', openForMs }]);
  });

  test('opens a circuit by itself only where that is wanted', () => {
    const patient = breakerWith();
    fail(patient.breaker, 1, limited(5000));
    expect(patient.breaker.state).toBe('closed');
    const { breaker, events } = breakerWith({ opensOnRetryAfter: true, openForMs: 1000 });
    fail(breaker);
    expect(breaker.state).toBe('closed');
    fail(breaker, 1, limited(5000));
    expect(events).toMatchObject([{ reason: 'retry_after', openForMs: 5000 }]);
  });

  test('of a call that began in an earlier state opens nothing', () => {
    const { breaker } = breakerWith({ opensOnRetryAfter: true });
    const late = permitOf(breaker);
    breaker.reset();
    breaker.settle(late, limited(5000));
    expect(breaker.state).toBe('closed');
  });
});

describe('new settings', () => {
  test('hold from now on, for a circuit that keeps its state', () => {
    const { breaker, clock } = breakerWith({ consecutiveFailures: 3 });
    fail(breaker, 2);
    breaker.reconfigure({ consecutiveFailures: 4, openForMs: 1000 });
    fail(breaker);
    expect([breaker.state, breaker.settings.consecutiveFailures]).toEqual(['closed', 4]);
    fail(breaker);
    breaker.reconfigure({ openForMs: 5 });
    clock.skip(999);
    expect(breaker.state).toBe('open');
    clock.skip(1);
    expect(breaker.state).toBe('half-open');
  });

  test('that are wrong change nothing', () => {
    const { breaker } = breakerWith({ consecutiveFailures: 3 });
    expect(() => {
      breaker.reconfigure({ consecutiveFailures: 0 });
    }).toThrow('circuit.consecutiveFailures');
    expect(breaker.settings.consecutiveFailures).toBe(3);
  });
});

test('knows when it was last asked', () => {
  const { breaker, clock } = breakerWith();
  expect(breaker.lastUsedAt).toBe(0);
  clock.skip(40);
  succeed(breaker);
  clock.skip(40);
  expect([breaker.state, breaker.lastUsedAt]).toEqual(['closed', 40]);
});
