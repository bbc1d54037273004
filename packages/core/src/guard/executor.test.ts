import { describe, expect, test } from 'vitest';
import { CircuitOpenError, ToolTimeoutError } from '../errors.ts';
import { ManualClock } from '../testing/manual-clock.ts';
import { CircuitBreaker } from './breaker/circuit-breaker.ts';
import type { CircuitOptions } from './breaker/circuit-options.ts';
import { Executor } from './executor.ts';
import type { ExecutorOptions } from './executor.ts';
import type { GuardEvent } from './guard-event.ts';
import { RetryBudget } from './retry-budget.ts';

function setUp(options: ExecutorOptions = {}, circuitOptions: CircuitOptions = {}) {
  const clock = new ManualClock();
  const events: GuardEvent[] = [];
  const onEvent = (event: GuardEvent): void => {
    events.push(event);
  };
  const circuit = new CircuitBreaker('c', circuitOptions, { clock, onEvent });
  const executor = new Executor({
    name: 'tool',
    circuits: [circuit],
    clock,
    random: () => 0.5,
    onEvent,
    ...options,
  });
  return { clock, events, circuit, executor, types: () => events.map(({ type }) => type) };
}

const hang = (): Promise<never> => new Promise(() => {});
const serverError = (): Error => Object.assign(new Error('boom'), { status: 503 });
const noJitter = { jitter: 'none' } as const;

/** Work that fails as often as told and then succeeds. */
function failing(times: number): (() => Promise<string>) & { calls: number } {
  const work = Object.assign(
    () => {
      work.calls++;
      return work.calls <= times ? Promise.reject(serverError()) : Promise.resolve('fine');
    },
    { calls: 0 },
  );
  return work;
}

describe('Executor', () => {
  test('returns the value of work that succeeds', async () => {
    const { executor, circuit } = setUp();
    expect(await executor.run(() => Promise.resolve(7))).toEqual({
      ok: true,
      value: 7,
      attempts: 1,
      isProbe: false,
    });
    expect(await executor.run(() => 8)).toMatchObject({ ok: true, value: 8 });
    expect(circuit.metrics()).toMatchObject({ successes: 2, totalCalls: 2 });
  });

  test('returns what failed as a value, whether thrown or rejected', async () => {
    const { executor } = setUp();
    const error = serverError();
    const thrown = await executor.run(() => {
      throw error;
    });
    expect(thrown).toMatchObject({ ok: false, failure: { class: 'server', cause: error } });
    const rejected = await executor.run(() => Promise.reject(error));
    expect(rejected).toMatchObject({ ok: false, failure: { cause: error } });
  });

  test('throws from `call` what the work threw, the very same', async () => {
    const { executor } = setUp();
    const error = serverError();
    await expect(executor.call(() => Promise.reject(error))).rejects.toBe(error);
  });

  test('returns from `call` a result that says it is an error: it was not thrown', async () => {
    const { executor, circuit } = setUp();
    const result = { isError: true, content: [] };
    expect(await executor.call(() => result)).toBe(result);
    expect(circuit.metrics().failures).toBe(1);
  });

  test('counts a timeout against the circuit and tells the work to stop', async () => {
    const { executor, circuit, clock, types } = setUp(
      { timeoutMs: 1000 },
      { consecutiveFailures: 1 },
    );
    let seen: AbortSignal | undefined;
    const running = executor.run(({ signal }) => {
      seen = signal;
      return hang();
    });
    await clock.advance(1050);
    const outcome = await running;
    expect(outcome).toMatchObject({ ok: false, failure: { class: 'timeout' }, attempts: 1 });
    expect(seen?.aborted).toBe(true);
    expect(seen?.reason).toBeInstanceOf(ToolTimeoutError);
    expect(circuit.state).toBe('open');
    expect(types()).toContain('call-timed-out');
  });

  test('names the tool in its timeout', async () => {
    const { executor, clock } = setUp({ timeoutMs: 1000 });
    const running = executor.call(hang);
    const failed = expect(running).rejects.toThrow(/^tool:timeout/);
    await clock.advance(1050);
    await failed;
  });

  test('ignores what the work does after its timeout', async () => {
    const { executor, circuit, clock } = setUp({ timeoutMs: 10 });
    let resolve: (value: string) => void = () => {};
    const running = executor.run(() => new Promise<string>((done) => (resolve = done)));
    await clock.advance(100);
    expect(await running).toMatchObject({ ok: false });
    resolve('late');
    await clock.advance(0);
    expect(circuit.metrics()).toMatchObject({ failures: 1, successes: 0 });
  });

  test('makes no signal unless the work looks at it', async () => {
    const original = globalThis.AbortController;
    let made = 0;
    globalThis.AbortController = class extends original {
      constructor() {
        super();
        made++;
      }
    };
    try {
      const { executor } = setUp();
      await executor.run(() => 1);
      expect(made).toBe(0);
      await executor.run(({ signal }) => signal.aborted);
      expect(made).toBe(1);
    } finally {
      globalThis.AbortController = original;
    }
  });

  test('retries within one circuit call and tells each wait', async () => {
    const { executor, circuit, clock, events } = setUp({
      retry: { maxRetries: 2, initialDelayMs: 100, ...noJitter },
    });
    const work = failing(2);
    const running = executor.run(work);
    await clock.advance(300);
    expect(await running).toMatchObject({ ok: true, value: 'fine', attempts: 3 });
    expect(circuit.metrics()).toMatchObject({ totalCalls: 1, successes: 1 });
    expect(
      events.flatMap((event) => (event.type === 'retry-scheduled' ? [event.delayMs] : [])),
    ).toEqual([100, 200]);
  });

  test('ends a retry whose delay does not fit before the deadline', async () => {
    const { executor, events } = setUp({
      timeoutMs: 1000,
      retry: { initialDelayMs: 1000, ...noJitter },
    });
    const work = failing(1);
    expect(await executor.run(work)).toMatchObject({ ok: false, attempts: 1 });
    expect(events).toMatchObject([{ type: 'retry-abandoned', reason: 'deadline' }]);
  });

  test('ends retries when the circuit opened meanwhile', async () => {
    const { executor, circuit, clock, events } = setUp({
      retry: { maxRetries: 5, initialDelayMs: 100, ...noJitter },
    });
    const work = failing(10);
    const running = executor.run(work);
    await clock.advance(50);
    circuit.isolate('maintenance');
    await clock.advance(100);
    expect(await running).toMatchObject({ ok: false, attempts: 1 });
    expect(work.calls).toBe(1);
    expect(events.at(-1)).toMatchObject({ type: 'retry-abandoned', reason: 'circuit-open' });
  });

  test('gives a probe one attempt', async () => {
    const { executor, clock, events } = setUp(
      { retry: { maxRetries: 5, initialDelayMs: 1, ...noJitter } },
      { consecutiveFailures: 1, openForMs: 1000 },
    );
    const first = executor.run(failing(1), {});
    await clock.advance(1);
    await first;
    const work = failing(10);
    const failed = executor.run(work);
    await clock.advance(10_000);
    await failed;
    const probe = failing(10);
    const outcome = await executor.run(probe);
    expect(outcome).toMatchObject({ ok: false, isProbe: true, attempts: 1 });
    expect(probe.calls).toBe(1);
    expect(events).toContainEqual(expect.objectContaining({ reason: 'probe' }));
  });

  test('lets a probe take as long as its timeout', async () => {
    const { executor, circuit, clock } = setUp(
      { timeoutMs: 120_000 },
      { consecutiveFailures: 1, openForMs: 1000, probeLeaseMs: 5000 },
    );
    await executor.run(failing(1));
    await clock.advance(1000);
    const probe = executor.run(hang);
    await clock.advance(119_000);
    expect(await executor.run(failing(0))).toMatchObject({ failure: { class: 'refused' } });
    await clock.advance(1100);
    expect(await probe).toMatchObject({ isProbe: true, failure: { class: 'timeout' } });
    expect(circuit.state).toBe('open');
  });

  test('ends at once when the caller aborts during a delay, and makes no further attempt', async () => {
    const { executor, circuit, clock } = setUp({
      retry: { initialDelayMs: 10_000, ...noJitter },
      timeoutMs: 60_000,
    });
    const work = failing(10);
    const controller = new AbortController();
    const running = executor.run(work, { signal: controller.signal });
    await clock.advance(1);
    controller.abort(new Error('stop'));
    expect(await running).toMatchObject({
      ok: false,
      failure: { class: 'cancelled', message: 'the caller cancelled it' },
    });
    await clock.advance(60_000);
    expect(work.calls).toBe(1);
    expect(circuit.metrics()).toMatchObject({ ignored: 1, failures: 0 });
  });

  test('throws the reason of the caller from `call`', async () => {
    const { executor } = setUp();
    const controller = new AbortController();
    const reason = new Error('never mind');
    const running = executor.call(hang, { signal: controller.signal });
    controller.abort(reason);
    await expect(running).rejects.toBe(reason);
    await expect(executor.call(hang, { signal: controller.signal })).rejects.toBe(reason);
    expect(await executor.run(hang, { signal: controller.signal })).toMatchObject({
      ok: false,
      attempts: 0,
      isProbe: false,
      failure: { class: 'cancelled', message: 'the caller cancelled it' },
    });
  });

  test('is called `call`, and runs calls without circuits, unless told otherwise', async () => {
    const executor = new Executor({ retry: false });
    expect([executor.name, executor.timeoutLabel]).toEqual(['call', 'call:timeout']);
    expect(await executor.call(() => 7)).toBe(7);
  });

  test('asks for the circuits of each call where they are told by a function', async () => {
    const { circuit, clock } = setUp();
    const executor = new Executor({ circuits: () => [circuit], clock });
    await executor.run(() => 1);
    expect(circuit.metrics().successes).toBe(1);
  });

  test('aborts the work of one call only', async () => {
    const { executor, clock } = setUp({ timeoutMs: 1000 });
    const signals: AbortSignal[] = [];
    const slow = executor.run(({ signal }) => {
      signals.push(signal);
      return hang();
    });
    await clock.advance(500);
    const other = executor.run(({ signal }) => {
      signals.push(signal);
      return hang();
    });
    await clock.advance(550);
    await slow;
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
    await clock.advance(1000);
    await other;
  });

  test('refuses as a value, with the time to wait, and does not call the work', async () => {
    const { executor, circuit } = setUp();
    circuit.isolate('down', 5000);
    const work = failing(0);
    expect(await executor.run(work)).toMatchObject({
      ok: false,
      attempts: 0,
      isProbe: false,
      retryAfterMs: 5000,
      failure: { class: 'refused', code: 'circuit-open' },
      refusal: { circuit: 'c', state: 'open' },
    });
    expect(work.calls).toBe(0);
    await expect(executor.call(work)).rejects.toThrow(CircuitOpenError);
  });

  test('asks all circuits and gives back the permits when one refuses', async () => {
    const clock = new ManualClock();
    const tool = new CircuitBreaker('tool', { consecutiveFailures: 1, openForMs: 10 }, { clock });
    const server = new CircuitBreaker('server', {}, { clock });
    const executor = new Executor({ circuits: [tool, server], clock });
    await executor.run(failing(1));
    expect(tool.state).toBe('open');
    expect(server.metrics().failures).toBe(1);
    clock.skip(10);
    server.isolate('down');
    expect(await executor.run(failing(0))).toMatchObject({ refusal: { circuit: 'server' } });
    server.reset();
    // The probe's place was given back: the next call gets it.
    expect(await executor.run(failing(0))).toMatchObject({ ok: true, isProbe: true });
    expect(tool.metrics()).toMatchObject({ ignored: 0, totalCalls: 2 });
  });

  test('times attempts one by one, each with a signal of its own', async () => {
    const { executor, clock } = setUp({
      timeoutMs: 10_000,
      attemptTimeoutMs: 100,
      retry: { maxRetries: 1, initialDelayMs: 50, ...noJitter },
    });
    const signals: AbortSignal[] = [];
    const running = executor.run(({ signal, attempt }) => {
      signals.push(signal);
      return attempt === 1 ? hang() : Promise.resolve('second');
    });
    await clock.advance(300);
    expect(await running).toMatchObject({ ok: true, value: 'second', attempts: 2 });
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
  });

  test('tells of an attempt that timed out, whether anybody listens or not', async () => {
    const options = { attemptTimeoutMs: 100 };
    const { executor, clock, events } = setUp(options);
    const deaf = new Executor({ ...options, clock });
    const running = [executor.run(hang), deaf.run(hang)];
    await clock.advance(100);
    for (const outcome of await Promise.all(running))
      expect(outcome).toMatchObject({ ok: false, failure: { class: 'timeout' } });
    expect(events).toEqual([{ type: 'call-timed-out', name: 'tool', timeoutMs: 100 }]);
  });

  test.each([
    ['returns', (): Promise<string> => Promise.resolve('late')],
    ['throws', (): Promise<string> => Promise.reject(serverError())],
  ])('does not care what an attempt %s after its time', async (_, late) => {
    const { executor, clock, types } = setUp({
      attemptTimeoutMs: 100,
      retry: { maxRetries: 2, initialDelayMs: 50, ...noJitter },
    });
    let endFirst: (value: Promise<string>) => void = () => {};
    let endSecond: (value: string) => void = () => {};
    const running = executor.run(
      ({ attempt }) =>
        new Promise<string>((resolve) => {
          if (attempt === 1) endFirst = resolve;
          else endSecond = resolve;
        }),
    );
    await clock.advance(160);
    endFirst(late());
    await clock.advance(10);
    endSecond('in time');
    expect(await running).toMatchObject({ ok: true, value: 'in time', attempts: 2 });
    expect(types().filter((type) => type === 'retry-scheduled')).toHaveLength(1);
  });

  test('takes nothing from work that ends after the caller gave up', async () => {
    const budget = new RetryBudget({ capacity: 5, cost: 5, minPerSecond: 0 });
    const { executor, clock, types } = setUp({ retry: { budget, initialDelayMs: 1, ...noJitter } });
    budget.take('server', 0);
    let calls = 0;
    for (const end of [
      (): Promise<string> => Promise.resolve('late'),
      (): Promise<string> => Promise.reject(serverError()),
    ]) {
      const controller = new AbortController();
      let goOn: () => void = () => {};
      const running = executor.run(
        () => {
          calls++;
          return new Promise<void>((resolve) => (goOn = resolve)).then(end);
        },
        { signal: controller.signal },
      );
      controller.abort();
      expect(await running).toMatchObject({ failure: { class: 'cancelled' } });
      goOn();
      await clock.advance(100);
    }
    expect([calls, budget.tokens, types()]).toEqual([2, 0, []]);
  });

  test('gives a probe of a server back where its tool has opened meanwhile', async () => {
    const { circuit: tool, clock } = setUp();
    const server = new CircuitBreaker('server', { openForMs: 100 }, { clock });
    const executor = new Executor({ circuits: [tool, server], clock, timeoutMs: 1000 });
    server.isolate('restart', 100);
    await clock.advance(100);
    const probe = executor.run(hang);
    tool.isolate('maintenance');
    await clock.advance(1000);
    expect(await probe).toMatchObject({ isProbe: true, failure: { class: 'timeout' } });
    expect([server.state, 'isRefused' in server.acquire()]).toEqual(['half-open', false]);
  });

  test('lets another probe in where one without a timeout says nothing', async () => {
    const { executor, circuit, clock } = setUp({ timeoutMs: Infinity }, { probeLeaseMs: 5000 });
    circuit.isolate('restart', 100);
    await clock.advance(100);
    void executor.run(hang);
    expect(await executor.run(() => 1)).toMatchObject({ refusal: { circuit: 'c' } });
    await clock.advance(5000);
    expect(await executor.run(() => 1)).toMatchObject({ ok: true, isProbe: true });
  });

  test('tells an attempt when it has to be over', async () => {
    const { executor, clock } = setUp({ timeoutMs: 1000 });
    await clock.advance(7);
    expect(await executor.call(({ deadlineAt }) => deadlineAt)).toBe(1007);
    const timed = new Executor({ timeoutMs: 1000, attemptTimeoutMs: 100, clock });
    expect(await timed.call(({ deadlineAt }) => deadlineAt)).toBe(107);
    const endless = new Executor({ timeoutMs: Infinity, clock });
    expect(await endless.call(({ deadlineAt }) => deadlineAt)).toBe(Infinity);
  });

  test('ends a call once, also where whoever hears of its timeout gives it up', async () => {
    const controller = new AbortController();
    const { executor, clock } = setUp({
      timeoutMs: 100,
      onEvent: () => {
        controller.abort(new Error('stop'));
      },
    });
    const running = [executor.run(hang, { signal: controller.signal }), executor.run(hang)];
    await clock.advance(100);
    expect(await Promise.all(running)).toMatchObject([
      { failure: { class: 'cancelled' } },
      { failure: { class: 'timeout' } },
    ]);
  });

  test('ends retries when one of several circuits opened meanwhile', async () => {
    const { circuit, clock, events } = setUp();
    const server = new CircuitBreaker('server', {}, { clock });
    const executor = new Executor({
      circuits: [circuit, server],
      retry: { initialDelayMs: 100, ...noJitter },
      clock,
      onEvent: (event) => void events.push(event),
    });
    const running = executor.run(failing(1));
    await clock.advance(50);
    server.isolate('maintenance');
    await clock.advance(100);
    expect(await running).toMatchObject({ ok: false, attempts: 1 });
    expect(events.at(-1)).toMatchObject({ type: 'retry-abandoned', reason: 'circuit-open' });
  });

  test.each([
    ['that only observes', 'shadow', false],
    ['that has closed again', 'enforce', true],
  ] as const)('goes on with retries after a circuit opened %s', async (_, mode, isReset) => {
    const { executor, circuit, clock } = setUp(
      { retry: { initialDelayMs: 100, ...noJitter } },
      { mode },
    );
    const running = executor.run(failing(1));
    await clock.advance(50);
    circuit.isolate('maintenance');
    if (isReset) circuit.reset();
    await clock.advance(100);
    expect(await running).toMatchObject({ ok: true, attempts: 2 });
  });

  test('pays for retries from the budget of the first circuit', async () => {
    const { executor, clock, events } = setUp(
      { retry: { maxRetries: 1, initialDelayMs: 0, ...noJitter } },
      { consecutiveFailures: Infinity, failureRatio: Infinity },
    );
    for (let call = 0; call < 110; call++) {
      const running = executor.run(failing(2));
      await clock.advance(0);
      await running;
    }
    const count = (type: string): number => events.filter((event) => event.type === type).length;
    expect([count('retry-scheduled'), count('retry-abandoned')]).toEqual([100, 10]);
    expect(events.at(-1)).toMatchObject({ reason: 'budget' });
  });

  test('pays for retries from a budget of its own, which successes fill', async () => {
    const budget = new RetryBudget({ capacity: 5, cost: 5, gain: 2, minPerSecond: 0 });
    const { executor, clock } = setUp({ retry: { budget, initialDelayMs: 1, ...noJitter } });
    const running = executor.run(failing(1));
    await clock.advance(1);
    expect(await running).toMatchObject({ ok: true, attempts: 2 });
    expect(budget.tokens).toBe(2);
    expect(await executor.run(failing(1))).toMatchObject({ ok: false, attempts: 1 });
    expect(budget.tokens).toBe(2);
  });

  test('retries without any circuit, and without any budget', async () => {
    for (const budget of [undefined, false] as const) {
      const { executor, clock } = setUp({
        circuits: [],
        retry: { maxRetries: 300, initialDelayMs: 1, multiplier: 1, budget, ...noJitter },
        timeoutMs: Infinity,
      });
      const running = executor.run(failing(300));
      await clock.advance(300);
      expect(await running).toMatchObject({ ok: true, attempts: 301 });
    }
  });

  test('says how long the server wants to be left alone, and nothing where it does not say', async () => {
    const { executor } = setUp();
    const busy = Object.assign(new Error('busy'), { status: 429, retryAfterMs: 700 });
    expect(await executor.run(() => Promise.reject(busy))).toHaveProperty('retryAfterMs', 700);
    expect(await executor.run(failing(1))).not.toHaveProperty('retryAfterMs');
  });

  test('takes for a promise what has a `then` to call, and nothing else', async () => {
    const { executor } = setUp();
    const thenable = {
      then: (resolve: (value: string) => void) => {
        resolve('waited for');
      },
    };
    expect(await executor.call(() => thenable as unknown as Promise<string>)).toBe('waited for');
    for (const value of [null, undefined, 7, { then: 'later' }, { ok: true }])
      expect(await executor.run<unknown>(() => value)).toMatchObject({ ok: true, value });
  });

  test('does not retry what is not idempotent unless told to', async () => {
    for (const [retriesUnsafe, calls] of [
      [false, 1],
      [true, 2],
    ] as const) {
      const { executor, clock } = setUp({
        retry: { initialDelayMs: 1, isIdempotent: false, retriesUnsafe, ...noJitter },
      });
      const work = failing(1);
      const running = executor.run(work);
      await clock.advance(10);
      await running;
      expect(work.calls).toBe(calls);
    }
  });

  test('waits as long as the server asks, and not at all where that is too long', async () => {
    for (const [retryAfterMs, calls] of [
      [2000, 2],
      [120_000, 1],
    ] as const) {
      const { executor, clock } = setUp({ retry: { initialDelayMs: 1, ...noJitter } });
      let made = 0;
      const running = executor.run(() => {
        made++;
        return made === 1
          ? Promise.reject(Object.assign(new Error('slow down'), { status: 429, retryAfterMs }))
          : Promise.resolve('ok');
      });
      await clock.advance(1999);
      expect(made).toBe(1);
      await clock.advance(1);
      expect(made).toBe(calls);
      await running;
    }
  });

  test.each([Infinity, 10_000])(
    'leaves no timer behind once all calls are over, with attempts of %d ms',
    async (attemptTimeoutMs) => {
      const { executor, clock } = setUp({
        timeoutMs: 30_000,
        attemptTimeoutMs,
        retry: { initialDelayMs: 1, ...noJitter },
      });
      for (let call = 0; call < 100; call++) await executor.run(() => call);
      const retried = executor.run(failing(1));
      await clock.advance(100);
      expect(await retried).toMatchObject({ ok: true, attempts: 2 });
      expect(clock.pendingTimers).toBe(0);
    },
  );

  test('keeps a listener that throws from breaking the call', async () => {
    const { executor } = setUp({
      timeoutMs: 1000,
      onEvent: () => {
        throw new Error('watcher');
      },
      retry: { initialDelayMs: 5000, ...noJitter },
    });
    expect(await executor.run(failing(1))).toMatchObject({
      ok: false,
      failure: { class: 'server' },
    });
  });

  test.each([
    [{ timeoutMs: -1 }, 'executor.timeoutMs'],
    [{ timeoutMs: Number.NaN }, 'executor.timeoutMs'],
    [{ retry: { maxRetries: 1.5 } }, 'retry.maxRetries'],
    [{ retries: 3 }, 'executor.retries'],
    [{ circuits: 'search' }, 'executor.circuits: expected an array of circuits'],
    [{ retry: true }, 'executor.retry: expected options, or false'],
  ])('names what cannot work in %j', (options, named) => {
    expect(() => new Executor(options as ExecutorOptions)).toThrow(named);
  });
});
