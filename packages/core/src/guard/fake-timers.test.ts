import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { CircuitBreaker } from './breaker/circuit-breaker.ts';
import { Executor } from './executor.ts';
import { withRetry } from './retry.ts';
import { withTimeout } from './timeout.ts';

const hangs = (): Promise<never> => new Promise(() => undefined);
const down = (): never => {
  throw Object.assign(new Error('down'), { code: 'ECONNREFUSED' });
};

describe.each([
  ['all of vitest', undefined],
  ['only setTimeout and Date', { toFake: ['setTimeout', 'clearTimeout', 'Date'] as const }],
])('with fake timers, %s', (_, options) => {
  beforeEach(() => {
    vi.useFakeTimers(options && { toFake: [...options.toFake] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('a timeout ends the call', async () => {
    const ended = expect(withTimeout(hangs, 60_000)).rejects.toMatchObject({
      code: 'tool-timeout',
    });
    await vi.advanceTimersByTimeAsync(60_000);
    await ended;
  });

  test('a retry waits for its delay', async () => {
    let attempts = 0;
    const calling = withRetry(() => (++attempts < 3 ? down() : 'well'), {
      maxRetries: 2,
      initialDelayMs: 30_000,
      jitter: 'none',
    });
    await vi.advanceTimersByTimeAsync(30_000);
    expect(attempts).toBe(2);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await calling).toBe('well');
  });

  test('a breaker becomes half-open', async () => {
    const circuit = new CircuitBreaker('down', { consecutiveFailures: 1, openForMs: 60_000 });
    await circuit.call(async () => down()).catch(() => undefined);
    expect(circuit.state).toBe('open');
    await vi.advanceTimersByTimeAsync(60_000);
    expect(circuit.state).toBe('half-open');
  });

  test('an executor ends in time', async () => {
    const calling = new Executor({ timeoutMs: 30_000 }).run(hangs);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(await calling).toMatchObject({ ok: false, failure: { class: 'timeout' } });
  });
});

test('timeouts end calls after fake timers were taken away', async () => {
  vi.useFakeTimers();
  void withTimeout(hangs, 60_000).catch(() => undefined);
  vi.useRealTimers();

  await expect(withTimeout(hangs, 20)).rejects.toMatchObject({ code: 'tool-timeout' });
});
