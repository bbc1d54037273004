import { beforeEach, describe, expect, test, vi } from 'vitest';
import { CircuitOpenError } from '../errors.ts';
import { ManualClock } from '../testing/manual-clock.ts';
import type { GuardEvent } from './guard-event.ts';
import { RetryBudget } from './retry-budget.ts';
import type { RetryConfig } from './retry-config.ts';
import type { RetryOptions } from './retry-options.ts';
import { withRetry } from './retry.ts';
import type { RetryAttempt, RetryRun } from './retry.ts';

const failing = (status: number, more: object = {}): Error =>
  Object.assign(new Error(`HTTP ${status}`), { status, ...more });

/** Work that throws each error in turn, then succeeds. */
function script(...errors: readonly Error[]): { work: () => string; calledAt: number[] } {
  const calledAt: number[] = [];
  const work = (): string => {
    const error = errors[calledAt.length];
    calledAt.push(clock.now());
    if (error !== undefined) throw error;
    return 'done';
  };
  return { work, calledAt };
}

let clock = new ManualClock();

/** Goes on to the end, as long as it takes, and tells how it went. */
async function finish<T>(
  start: (environment: RetryRun) => Promise<T>,
): Promise<{ value?: T; error?: unknown; events: GuardEvent[] }> {
  const events: GuardEvent[] = [];
  const onEvent = (event: GuardEvent): unknown => events.push(event);
  const ended = start({ clock, random: () => 0.5, onEvent }).then(
    (value) => ({ value, events }),
    (error: unknown) => ({ error, events }),
  );
  await clock.advance(10 * 60_000);
  return ended;
}

const run = <T>(
  work: (attempt: RetryAttempt) => T | Promise<T>,
  options?: RetryOptions,
  more: RetryRun = {},
): ReturnType<typeof finish<T>> =>
  finish((environment) => withRetry(work, options, { ...environment, ...more }));

const exact: RetryOptions = { jitter: 'none', initialDelayMs: 100 };
const types = (events: readonly GuardEvent[]): string[] =>
  events.map((event) => (event.type === 'retry-abandoned' ? event.reason : event.type));

describe('withRetry', () => {
  beforeEach(() => {
    clock = new ManualClock();
  });

  test('calls once and waits for nothing when the work succeeds', async () => {
    const { work, calledAt } = script();
    expect(await run(work, exact)).toEqual({ value: 'done', events: [] });
    expect(calledAt).toEqual([0]);
  });

  test('returns the first success', async () => {
    const { work, calledAt } = script(failing(503));
    expect((await run(work, { ...exact, maxRetries: 5 })).value).toBe('done');
    expect(calledAt).toEqual([0, 100]);
  });

  test('waits twice for three attempts, and throws the last error as it was thrown', async () => {
    const errors = [failing(500), failing(502), failing(504), failing(503)];
    const { work, calledAt } = script(...errors);
    expect((await run(work, exact)).error).toBe(errors[2]);
    expect(calledAt).toEqual([0, 100, 300]);
  });

  test('waits no longer than the longest delay', async () => {
    const { work, calledAt } = script(...Array.from({ length: 9 }, () => failing(500)));
    await run(work, { ...exact, maxRetries: 5, maxDelayMs: 250 });
    expect(calledAt).toEqual([0, 100, 300, 550, 800, 1050]);
  });

  test('calls at once where chance draws no delay at all', async () => {
    const { work, calledAt } = script(failing(500), failing(500));
    expect((await run(work, { jitter: 'full' }, { random: () => 0 })).value).toBe('done');
    expect(calledAt).toEqual([0, 0, 0]);
  });

  test('remembers the last delay for decorrelated jitter', async () => {
    const { work, calledAt } = script(failing(500), failing(500));
    await run(work, { jitter: 'decorrelated', initialDelayMs: 100 });
    expect(calledAt).toEqual([0, 200, 550]);
  });

  test('does not retry with maxRetries 0', async () => {
    const { work, calledAt } = script(failing(503));
    const { error, events } = await run(work, { maxRetries: 0 });
    expect(error).toMatchObject({ status: 503 });
    expect([calledAt, events]).toEqual([[0], []]);
  });

  test('begins anew with every run', async () => {
    const first = script(failing(500), failing(500), failing(500));
    const second = script(failing(500), failing(500));
    await run(first.work, exact);
    expect((await run(second.work, exact)).value).toBe('done');
  });

  test.each([
    ['HTTP 429', failing(429), 3],
    ['HTTP 500', failing(500), 3],
    ['HTTP 502', failing(502), 3],
    ['HTTP 503', failing(503), 3],
    ['HTTP 504', failing(504), 3],
    ['HTTP 408', failing(408), 3],
    ['a refused connection', Object.assign(new Error('x'), { code: 'ECONNREFUSED' }), 3],
    ['a timeout', Object.assign(new Error('x'), { code: 'ETIMEDOUT' }), 3],
    ['HTTP 400', failing(400), 1],
    ['HTTP 401', failing(401), 1],
    ['HTTP 403', failing(403), 1],
    ['HTTP 404', failing(404), 1],
    ['HTTP 422', failing(422), 1],
    ['an error that says no more', new Error('x'), 1],
    ['an open circuit', new CircuitOpenError('c', 1000), 1],
  ])('calls as often as the class of the failure allows: %s', async (_, error, calls) => {
    const { work, calledAt } = script(...Array.from({ length: 9 }, () => error));
    expect((await run(work, exact)).error).toBe(error);
    expect(calledAt).toHaveLength(calls);
  });

  test('asks retryOn instead, where it is given', async () => {
    const { work, calledAt } = script(failing(404), failing(500));
    const { error } = await run(work, { ...exact, retryOn: (failure) => failure.status === 404 });
    expect(error).toMatchObject({ status: 500 });
    expect(calledAt).toHaveLength(2);
  });

  test('tells the work which attempt it is', async () => {
    const attempts: number[] = [];
    await run(({ attempt }) => {
      attempts.push(attempt);
      throw failing(500);
    }, exact);
    expect(attempts).toEqual([1, 2, 3]);
  });

  describe('Retry-After', () => {
    test('is a lower bound for the delay, beyond the longest delay too', async () => {
      const { work, calledAt } = script(failing(429, { headers: { 'retry-after': '7' } }));
      await run(work, { ...exact, maxDelayMs: 1000 });
      expect(calledAt).toEqual([0, 7000]);
    });

    test('does not shorten a delay', async () => {
      const { work, calledAt } = script(failing(429, { headers: { 'retry-after': '1' } }));
      await run(work, { jitter: 'none', initialDelayMs: 5000 });
      expect(calledAt).toEqual([0, 5000]);
    });

    test.each(['0', 'soon', ''])('changes nothing when it is %j', async (value) => {
      const { work, calledAt } = script(failing(429, { headers: { 'retry-after': value } }));
      await run(work, exact);
      expect(calledAt).toEqual([0, 100]);
    });

    test('may be a date', async () => {
      const date = new Date(clock.wallTime() + 9000).toUTCString();
      const { work, calledAt } = script(failing(503, { headers: { 'retry-after': date } }));
      await run(work, exact);
      expect(calledAt).toEqual([0, 9000]);
    });

    test('is not waited for when it is longer than allowed', async () => {
      const error = failing(429, { headers: { 'retry-after': '61' } });
      const { work, calledAt } = script(error);
      const { error: thrown, events } = await run(work, exact);
      expect(thrown).toBe(error);
      expect(calledAt).toEqual([0]);
      expect(types(events)).toEqual(['retry-after']);
    });

    test('is waited for up to maxRetryAfterMs', async () => {
      const { work, calledAt } = script(failing(429, { headers: { 'retry-after': '61' } }));
      await run(work, { ...exact, maxRetryAfterMs: 61_000 });
      expect(calledAt).toEqual([0, 61_000]);
    });
  });

  describe('a result that says isError', () => {
    const badGateway = { isError: true, structuredContent: { status: 502 } };

    test('is returned at once when its class is not retried', async () => {
      const work = vi.fn(() => ({ isError: true, content: [] }));
      expect((await run(work, exact)).value).toEqual({ isError: true, content: [] });
      expect(work).toHaveBeenCalledTimes(1);
    });

    test('is retried by its class, and returned when the retries are used up', async () => {
      const work = vi.fn(() => badGateway);
      expect((await run(work, exact)).value).toBe(badGateway);
      expect(work).toHaveBeenCalledTimes(3);
    });

    test('is retried when retryOn says so', async () => {
      const results = [{ isError: true }, { isError: false }];
      const work = (): object => results.shift()!;
      const options: RetryOptions = {
        ...exact,
        retryOn: (failure) => failure.class === 'tool-error',
      };
      expect((await run(work, options)).value).toEqual({ isError: false });
    });

    test('gives nothing back to the budget', async () => {
      const budget = new RetryBudget({ capacity: 100, cost: 5 });
      await run(() => badGateway, { ...exact, budget });
      expect(budget.tokens).toBe(90);
    });
  });

  describe('a call that is not idempotent', () => {
    test('is not retried', async () => {
      const { work, calledAt } = script(failing(503));
      const { events } = await run(work, { ...exact, isIdempotent: false });
      expect(calledAt).toHaveLength(1);
      expect(types(events)).toEqual(['not-idempotent']);
    });

    test('is retried with retriesUnsafe', async () => {
      const { work } = script(failing(503));
      const options = { ...exact, isIdempotent: false, retriesUnsafe: true };
      expect((await run(work, options)).value).toBe('done');
    });

    test('tells nothing of failures that would not be retried anyway', async () => {
      const { work } = script(failing(404));
      expect((await run(work, { ...exact, isIdempotent: false })).events).toEqual([]);
    });
  });

  describe('the budget', () => {
    test('ends retries when it is spent', async () => {
      const budget = new RetryBudget({ capacity: 5, minPerSecond: 0 });
      const { work, calledAt } = script(failing(500), failing(500), failing(500));
      const { error, events } = await run(work, { ...exact, budget });
      expect(error).toMatchObject({ status: 500 });
      expect(calledAt).toHaveLength(2);
      expect(types(events)).toEqual(['retry-scheduled', 'budget']);
    });

    test('is filled by successes and paid by retries, more after a timeout', async () => {
      const budget = new RetryBudget({ capacity: 100 });
      await run(script(failing(500), failing(504)).work, { ...exact, budget });
      expect(budget.tokens).toBe(100 - 5 - 10 + 1);
    });

    test('is not charged for a retry that is not made', async () => {
      const budget = new RetryBudget({ capacity: 100 });
      const error = failing(429, { headers: { 'retry-after': '900' } });
      await run(script(error).work, { ...exact, budget });
      await run(script(failing(404)).work, { ...exact, budget });
      await run(script(failing(500)).work, { ...exact, budget }, { deadlineAt: clock.now() + 50 });
      expect(budget.tokens).toBe(100);
    });
  });

  describe('an abort', () => {
    test('during a delay ends it at once, with its reason and no further attempt', async () => {
      const controller = new AbortController();
      const { work, calledAt } = script(failing(500), failing(500));
      const events: GuardEvent[] = [];
      const ended = withRetry(work, exact, {
        clock,
        signal: controller.signal,
        onEvent: (event) => events.push(event),
      }).catch((error: unknown) => ({ error, at: clock.now() }));
      await clock.advance(40);
      controller.abort('enough');
      expect(await ended).toEqual({ error: 'enough', at: 40 });
      await clock.advance(10_000);
      expect(calledAt).toEqual([0]);
      expect(clock.pendingTimers).toBe(0);
      expect(types(events)).toEqual(['retry-scheduled', 'aborted']);
    });

    test('during an attempt stops retrying and keeps the error', async () => {
      const controller = new AbortController();
      const error = failing(503);
      const work = vi.fn(() => {
        controller.abort('enough');
        throw error;
      });
      const { error: thrown, events } = await run(work, exact, { signal: controller.signal });
      expect(thrown).toBe(error);
      expect(work).toHaveBeenCalledTimes(1);
      expect(types(events)).toEqual(['aborted']);
    });

    test.each([
      [1, ['retry-scheduled']],
      [2, ['retry-scheduled', 'aborted']],
    ])(
      'during the second attempt, of %i retries, ends those there would be',
      async (maxRetries, told) => {
        const controller = new AbortController();
        const work = ({ attempt }: RetryAttempt): never => {
          if (attempt === 2) controller.abort('enough');
          throw failing(503);
        };
        const options = { ...exact, maxRetries };
        const { events } = await run(work, options, { signal: controller.signal });
        expect(types(events)).toEqual(told);
      },
    );

    test('does not take back a result that came all the same', async () => {
      const controller = new AbortController();
      const work = (): string => {
        controller.abort();
        return 'done';
      };
      expect((await run(work, exact, { signal: controller.signal })).value).toBe('done');
    });

    test('before the first attempt means that there is none', async () => {
      const work = vi.fn();
      const { error } = await run(work, exact, { signal: AbortSignal.abort('before') });
      expect(error).toBe('before');
      expect(work).not.toHaveBeenCalled();
    });

    test('reaches the work through its signal', async () => {
      const { signal } = new AbortController();
      const { value } = await run((attempt) => attempt.signal, exact, { signal });
      expect(value).toBe(signal);
    });

    test('leaves no listener on the signal, however many delays there were', async () => {
      const { signal } = new AbortController();
      const added = vi.spyOn(signal, 'addEventListener');
      const removed = vi.spyOn(signal, 'removeEventListener');
      await run(script(failing(500), failing(500)).work, exact, { signal });
      expect(added).toHaveBeenCalledTimes(2);
      expect(removed).toHaveBeenCalledTimes(2);
    });
  });

  test('does not begin a delay that would go past the deadline', async () => {
    const { work, calledAt } = script(failing(500), failing(500));
    const { error, events } = await run(work, exact, { deadlineAt: 300 });
    expect(error).toMatchObject({ status: 500 });
    expect(calledAt).toEqual([0, 100]);
    expect(types(events)).toEqual(['retry-scheduled', 'deadline']);
  });

  test('ends when the gate shuts during a delay', async () => {
    let isShut = false;
    const { work, calledAt } = script(failing(500), failing(500));
    const gate = {
      whyShut: () => (isShut ? ('circuit-open' as const) : undefined),
      affords: () => true,
    };
    clock.setTimer(() => (isShut = true), 50);
    const { error, events } = await run(work, exact, { gate });
    expect(error).toMatchObject({ status: 500 });
    expect(calledAt).toEqual([0]);
    expect(types(events)).toEqual(['retry-scheduled', 'circuit-open']);
  });

  test('tells of each retry that it schedules', async () => {
    const { events } = await run(script(failing(500), failing(502)).work, exact, {
      tool: 'search',
    });
    expect(events).toMatchObject([
      { name: 'search', attempt: 1, maxAttempts: 3, delayMs: 100, failure: { status: 500 } },
      { name: 'search', attempt: 2, maxAttempts: 3, delayMs: 200, failure: { status: 502 } },
    ]);
    expect(types(events)).toEqual(['retry-scheduled', 'retry-scheduled']);
  });

  test('calls the work `call` unless it has a name', async () => {
    const { events } = await run(script(failing(500)).work, exact);
    expect(events).toMatchObject([{ name: 'unknown' }]);
  });

  test('retries and gives up also where nobody listens', async () => {
    const { work, calledAt } = script(failing(500), failing(500));
    const ended = withRetry(work, exact, { clock, deadlineAt: 200 });
    const failed = expect(ended).rejects.toMatchObject({ status: 500 });
    await clock.advance(1000);
    await failed;
    expect(calledAt).toEqual([0, 100]);
  });

  test('goes on when the one who watches throws', async () => {
    const onEvent = (): never => {
      throw new Error('watcher');
    };
    expect((await run(script(failing(500)).work, exact, { onEvent })).value).toBe('done');
  });

  describe('given a maxAttempts configuration', () => {
    const config: RetryConfig = {
      maxAttempts: 3,
      initialDelayMs: 1000,
      maxDelayMs: 2500,
      backoffMultiplier: 3,
      retryOn: (error) => (error as { status?: number }).status === 418,
    };

    const runConfig = <T>(work: () => T, given: RetryConfig): ReturnType<typeof finish<T>> =>
      finish((environment) => withRetry(work, given, environment));

    test('makes that many calls, with exact delays', async () => {
      const { work, calledAt } = script(failing(418), failing(418), failing(418), failing(418));
      expect((await runConfig(work, config)).error).toMatchObject({ status: 418 });
      expect(calledAt).toEqual([0, 1000, 3500]);
    });

    test('retries what its retryOn says, and nothing else', async () => {
      const { work, calledAt } = script(failing(500));
      await runConfig(work, config);
      expect(calledAt).toHaveLength(1);
    });

    test('refuses 0 attempts instead of throwing undefined', async () => {
      const work = vi.fn();
      const { error } = await runConfig(work, { ...config, maxAttempts: 0 });
      expect(error).toMatchObject({
        code: 'invalid-option',
        message: 'retry.maxAttempts: expected a whole number of at least 1, got 0',
      });
      expect(work).not.toHaveBeenCalled();
    });
  });
});
