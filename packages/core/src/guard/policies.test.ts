import { beforeEach, describe, expect, expectTypeOf, test, vi } from 'vitest';
import { BulkheadFullError, CircuitOpenError, ToolTimeoutError } from '../errors.ts';
import { ManualClock } from '../testing/manual-clock.ts';
import { Bulkhead } from './bulkhead.ts';
import { CircuitBreaker } from './breaker/circuit-breaker.ts';
import type { CircuitOptions } from './breaker/circuit-options.ts';
import type { GuardEnvironment } from './guard-environment.ts';
import type { GuardEvent } from './guard-event.ts';
import { LastGood } from './last-good.ts';
import { bulkhead, circuit, fallback, retry, timeout } from './policies.ts';
import { compose } from './policy.ts';
import type { Policy, PolicyContext } from './policy.ts';
import { watchedSignal } from './watched-signal.case.ts';

let clock = new ManualClock();
let events: GuardEvent[] = [];
let environment: GuardEnvironment = {};

beforeEach(() => {
  clock = new ManualClock();
  events = [];
  environment = { clock, random: () => 0.5, onEvent: (event) => events.push(event) };
});

const unavailable = (): Error => Object.assign(new Error('HTTP 503'), { status: 503 });
const failing = (): Promise<never> => Promise.reject(unavailable());
const never = (): Promise<never> => new Promise(() => undefined);
const steady = { jitter: 'none', initialDelayMs: 100, multiplier: 1 } as const;
const breakerOf = (options: CircuitOptions = {}): CircuitBreaker =>
  new CircuitBreaker('search', options, environment);
const reasons = (): string[] =>
  events.map((event) => (event.type === 'retry-abandoned' ? event.reason : event.type));

/** Runs to the end and gives what was returned or thrown. */
async function outcome<T>(
  policy: Policy<T>,
  work: (context: PolicyContext) => T | Promise<T>,
  context?: PolicyContext,
): Promise<unknown> {
  const ended = policy(work, context).catch((error: unknown) => error);
  await clock.advance(60_000);
  return ended;
}

describe('timeout', () => {
  test('names the call, and tells what is inside how much time there is', async () => {
    const seen: PolicyContext[] = [];
    const work = (context: PolicyContext): Promise<never> => {
      seen.push(context);
      return never();
    };
    const error = await outcome(timeout(500, environment), work, { name: 'search', key: 'k' });
    expect(error).toBeInstanceOf(ToolTimeoutError);
    expect(error).toMatchObject({ message: 'search:timeout: no answer within 500 ms' });
    expect(seen).toMatchObject([{ name: 'search', key: 'k', deadlineAt: 500 }]);
    expect(seen[0]?.signal?.reason).toBe(error);
  });

  test('is called so where the call has no name', async () => {
    const error = await outcome(timeout(500, environment), never, {});
    expect(error).toMatchObject({ message: 'timeout: no answer within 500 ms' });
  });

  test('does not extend the time of one further out', async () => {
    const policy = compose(timeout(100, environment), timeout(500, environment));
    expect(await policy(({ deadlineAt }) => deadlineAt)).toBe(100);
  });

  test('makes no AbortController for work that does not look at its signal', async () => {
    const made = vi.spyOn(globalThis, 'AbortController');
    try {
      await compose(timeout(100, environment))(() => 1);
      expect(made).not.toHaveBeenCalled();
    } finally {
      made.mockRestore();
    }
  });

  test.each([0, -1, Number.NaN])('refuses %d ms when it is made', (timeoutMs) => {
    expect(() => timeout(timeoutMs)).toThrow('timeoutMs: expected milliseconds above 0');
  });
});

describe('retry', () => {
  test('makes the call again, and tells which attempt it is', async () => {
    const attempts: unknown[] = [];
    const work = ({ attempt }: PolicyContext): Promise<never> => {
      attempts.push(attempt);
      return failing();
    };
    const error = await outcome(retry(steady, environment), work, { name: 'search' });
    expect(error).toMatchObject({ status: 503 });
    expect(attempts).toEqual([1, 2, 3]);
    expect(events[0]).toMatchObject({ type: 'retry-scheduled', name: 'search', delayMs: 100 });
  });

  test('gives up early when the time of a timeout around it is too short for the delay', async () => {
    const work = vi.fn(failing);
    const policy = compose(timeout(150, environment), retry(steady, environment));
    expect(await outcome(policy, work)).toMatchObject({ status: 503 });
    expect(work).toHaveBeenCalledTimes(2);
    expect(reasons()).toEqual(['retry-scheduled', 'deadline']);
  });

  test('gives each attempt its own time, with a timeout inside of it', async () => {
    const work = vi.fn(never);
    const policy = compose(retry(steady, environment), timeout(50, environment));
    expect(await outcome(policy, work)).toBeInstanceOf(ToolTimeoutError);
    expect(work).toHaveBeenCalledTimes(3);
  });

  test('refuses wrong options when it is made', () => {
    expect(() => retry({ maxRetries: -1 })).toThrow('retry.maxRetries');
  });
});

describe('circuit', () => {
  test('refuses calls while open', async () => {
    const policy = circuit(breakerOf({ consecutiveFailures: 2, openForMs: 1000 }));
    const work = vi.fn(failing);
    for (let call = 0; call < 5; call++) await policy(work).catch(() => undefined);
    expect(work).toHaveBeenCalledTimes(2);
    await expect(policy(work)).rejects.toThrow(CircuitOpenError);
    await expect(policy(work)).rejects.toMatchObject({ circuit: 'search', retryAfterMs: 1000 });
  });

  test('counts what the work throws and what it returns', async () => {
    const breaker = breakerOf();
    const policy = circuit(breaker);
    await outcome(policy, () => 'fine');
    await outcome(policy, failing);
    await outcome<unknown>(policy, () => ({ isError: true }));
    await outcome(policy, () => Promise.reject(Object.assign(new Error('x'), { status: 404 })));
    expect(breaker.metrics()).toMatchObject({ successes: 1, failures: 2, ignored: 1 });
  });

  test('counts a timeout around it at once, though the work never ends', async () => {
    const breaker = breakerOf();
    const policy = compose(timeout(100, environment), circuit(breaker));
    await outcome(policy, never);
    expect(breaker.metrics()).toMatchObject({ failures: 1, ignored: 0 });
  });

  test('does not count the same timeout twice when the work ends by it', async () => {
    const breaker = breakerOf();
    const policy = compose(timeout(100, environment), circuit(breaker));
    const work = ({ signal }: PolicyContext): Promise<never> =>
      new Promise((_, reject) => {
        signal?.addEventListener('abort', () => {
          reject(new Error('aborted'));
        });
      });
    await outcome(policy, work);
    expect(breaker.metrics()).toMatchObject({ totalCalls: 1, failures: 1 });
  });

  test('does not count a caller that gives up', async () => {
    const breaker = breakerOf();
    const controller = new AbortController();
    const policy = compose(timeout(5000, environment), circuit(breaker));
    clock.setTimer(() => {
      controller.abort('enough');
    }, 50);
    expect(await outcome(policy, never, { signal: controller.signal })).toBe('enough');
    expect(breaker.metrics()).toMatchObject({ failures: 0, ignored: 1 });
  });

  test('gives the place of a probe back when its caller gives up', async () => {
    const breaker = breakerOf({ consecutiveFailures: 1, openForMs: 1000 });
    const policy = circuit(breaker);
    const controller = new AbortController();
    await outcome(policy, failing);
    const probe = outcome(policy, never, { signal: controller.signal });
    controller.abort();
    expect(await outcome(policy, () => 'well again')).toBe('well again');
    expect(breaker.state).toBe('closed');
    void probe;
  });

  test('counts one failure for a call with all its retries, when they are inside', async () => {
    const breaker = breakerOf();
    const policy = compose(circuit(breaker), retry(steady, environment));
    await outcome(policy, failing);
    expect(breaker.metrics()).toMatchObject({ totalCalls: 1, failures: 1 });
  });

  test('counts every attempt, when the retries are outside, and ends them by opening', async () => {
    const breaker = breakerOf({ consecutiveFailures: 2 });
    const work = vi.fn(failing);
    const policy = compose(retry({ ...steady, maxRetries: 9 }, environment), circuit(breaker));
    expect(await outcome(policy, work)).toBeInstanceOf(CircuitOpenError);
    expect(work).toHaveBeenCalledTimes(2);
  });

  test('ends the retries inside of it when others open it', async () => {
    const breaker = breakerOf({ consecutiveFailures: 1 });
    const work = vi.fn(failing);
    const policy = compose(circuit(breaker), retry(steady, environment));
    clock.setTimer(() => {
      breaker.isolate('meanwhile');
    }, 50);
    expect(await outcome(policy, work)).toMatchObject({ status: 503 });
    expect(work).toHaveBeenCalledTimes(1);
    expect(reasons()).toEqual(['retry-scheduled', 'circuit-opened', 'circuit-open']);
  });

  test('gives a probe one attempt', async () => {
    const breaker = breakerOf({ consecutiveFailures: 1, openForMs: 1000 });
    await outcome(circuit(breaker), failing);
    const work = vi.fn(failing);
    await outcome(compose(circuit(breaker), retry(steady, environment)), work);
    expect(work).toHaveBeenCalledTimes(1);
    expect(reasons()).toContain('probe');
  });

  test('asks a circuit further out about retries too', async () => {
    const [outer, inner] = [breakerOf({ consecutiveFailures: 1, openForMs: 1000 }), breakerOf()];
    await outcome(circuit(outer), failing);
    const work = vi.fn(failing);
    await outcome(compose(circuit(outer), circuit(inner), retry(steady, environment)), work);
    expect(work).toHaveBeenCalledTimes(1);
  });

  test('pays for retries inside of it from its budget', async () => {
    const breaker = breakerOf({ consecutiveFailures: 1000, failureRatio: Infinity });
    const affords = vi.spyOn(breaker, 'affordsRetry');
    await outcome(compose(circuit(breaker), retry(steady, environment)), failing);
    expect(affords).toHaveBeenCalledTimes(2);
    await outcome(compose(circuit(breaker), retry({ ...steady, budget: false })), failing);
    expect(affords).toHaveBeenCalledTimes(2);
  });

  test('counts down a Retry-After that is a date', async () => {
    const breaker = breakerOf({ opensOnRetryAfter: true });
    const date = new Date(clock.wallTime() + 90_000).toUTCString();
    const error = Object.assign(unavailable(), { headers: { 'retry-after': date } });
    const ended = circuit(breaker, environment)(() => Promise.reject(error));
    await expect(ended).rejects.toBe(error);
    await clock.advance(89_000);
    expect(breaker.state).toBe('open');
    await clock.advance(1000);
    expect(breaker.state).toBe('half-open');
  });

  test('leaves no listener on the signal', async () => {
    const { signal, listeners } = watchedSignal();
    const during: number[] = [];
    const listened = (): void => void during.push(listeners());
    await outcome(circuit(breakerOf()), listened, { signal });
    await outcome(circuit(breakerOf()), failing, { signal });
    expect([during, listeners()]).toEqual([[1], 0]);
  });
});

describe('bulkhead', () => {
  test('lets so many in at a time', async () => {
    const policy = bulkhead({ limit: 1 });
    void policy(never);
    await expect(policy(() => 1)).rejects.toThrow(BulkheadFullError);
  });

  test('shares the places of a Bulkhead', async () => {
    const places = new Bulkhead({ limit: 1 });
    void places.run(never);
    await expect(bulkhead(places)(() => 1)).rejects.toThrow(BulkheadFullError);
  });

  test('frees the place of a call that times out inside of it', async () => {
    const places = new Bulkhead({ limit: 1 });
    await outcome(compose(bulkhead(places), timeout(100, environment)), never);
    expect(places.active).toBe(0);
  });

  test('loses a waiter that times out around it', async () => {
    const places = new Bulkhead({ limit: 1, queue: 1 });
    void places.run(never);
    const policy = compose(timeout(100, environment), bulkhead(places));
    expect(await outcome(policy, () => 1)).toBeInstanceOf(ToolTimeoutError);
    expect(places.waiting).toBe(0);
  });

  test('hands the context on', async () => {
    expect(await bulkhead({ limit: 1 })(({ name }) => name, { name: 'search' })).toBe('search');
  });
});

describe('fallback', () => {
  test('gives something else for whatever is inside of it', async () => {
    const breaker = breakerOf();
    breaker.isolate('for the test');
    const policy = compose(fallback({ value: 'instead' }), circuit(breaker));
    expect(await policy(() => 'mine')).toBe('instead');
    expectTypeOf(policy(() => 1)).resolves.toEqualTypeOf<number | string>();
  });

  test('tells a function why', async () => {
    const policy = fallback(({ class: failureClass }) => failureClass);
    expect(await policy(failing)).toBe('server');
  });

  test('gives the last good value of the key of the call', async () => {
    const policy = fallback({ lastGood: new LastGood({ clock }) });
    await policy(() => 1, { key: 'a' });
    await policy(() => 2, { key: 'b' });
    expect(await policy(failing, { key: 'a' })).toBe(1);
    await expect(policy(failing, { key: 'c' })).rejects.toMatchObject({ status: 503 });
    expectTypeOf(() => policy(() => 1)).returns.resolves.toEqualTypeOf<number>();
  });

  test('refuses what is no fallback when it is made', () => {
    expect(() => fallback({} as { value: string })).toThrow('fallback: expected a function');
  });
});

test('timeout, circuit and retry composed in this order do what their names say', async () => {
  const breaker = breakerOf({ consecutiveFailures: 3 });
  const policy = compose(
    timeout(60_000, environment),
    circuit(breaker),
    retry({ ...steady, maxRetries: 1 }, environment),
  );
  const work = vi.fn(failing);
  for (let call = 0; call < 3; call++) {
    const ended = policy(work).catch((error: unknown) => error);
    await clock.advance(100);
    expect(await ended).toMatchObject({ status: 503 });
  }
  expect(work).toHaveBeenCalledTimes(6);
  await expect(policy(work)).rejects.toThrow(CircuitOpenError);
  expect(work).toHaveBeenCalledTimes(6);
});
