import { describe, expect, test, vi } from 'vitest';
import { ToolTimeoutError } from '../errors.ts';
import { ManualClock } from '../testing/manual-clock.ts';
import type { GuardEvent } from './guard-event.ts';
import { withTimeout } from './timeout.ts';
import type { TimedWork } from './timeout.ts';

const never = (): Promise<never> => new Promise(() => undefined);

/** What a promise came to, once it has. */
function watch<T>(promise: Promise<T>): { value?: T; error?: unknown; isOver: boolean } {
  const seen: { value?: T; error?: unknown; isOver: boolean } = { isOver: false };
  promise.then(
    (value) => Object.assign(seen, { value, isOver: true }),
    (error: unknown) => Object.assign(seen, { error, isOver: true }),
  );
  return seen;
}

describe('withTimeout', () => {
  test('returns what the work returns, at once or later', async () => {
    const clock = new ManualClock();
    expect(await withTimeout(() => 'now', 100, 'tool', { clock })).toBe('now');
    expect(await withTimeout(async () => 'later', 100, 'tool', { clock })).toBe('later');
  });

  test('rejects with what the work throws, at once or later, unchanged', async () => {
    const clock = new ManualClock();
    const error = new Error('mine');
    const thrower = (): never => {
      throw error;
    };
    await expect(withTimeout(thrower, 100, 'tool', { clock })).rejects.toBe(error);
    await expect(withTimeout(async () => thrower(), 100, 'tool', { clock })).rejects.toBe(error);
  });

  test('rejects when the time is over, not before, with a message that begins with the label', async () => {
    const clock = new ManualClock();
    const call = watch(withTimeout(never, 60_000, 'githubSearchCode:timeout', { clock }));
    await clock.advance(59_999);
    expect(call.isOver).toBe(false);
    await clock.advance(1);
    expect(call.error).toBeInstanceOf(ToolTimeoutError);
    expect(call.error).toMatchObject({
      code: 'tool-timeout',
      message: 'githubSearchCode:timeout: no answer within 60000 ms',
      timeoutMs: 60_000,
      retryable: true,
    });
  });

  test('aborts the work with the error as the reason', async () => {
    const clock = new ManualClock();
    let signal: AbortSignal | undefined;
    const call = watch(
      withTimeout(
        (work) => {
          ({ signal } = work);
          return never();
        },
        100,
        'tool',
        { clock },
      ),
    );
    expect(signal?.aborted).toBe(false);
    await clock.advance(100);
    expect(signal?.aborted).toBe(true);
    expect(signal?.reason).toBe(call.error);
  });

  test('shows an aborted signal to work that looks at it only afterwards', async () => {
    const clock = new ManualClock();
    let kept: TimedWork | undefined;
    watch(
      withTimeout(
        (work) => {
          kept = work;
          return never();
        },
        100,
        'tool',
        { clock },
      ),
    );
    await clock.advance(100);
    expect(kept?.signal.aborted).toBe(true);
  });

  test('does not abort after success, so that a body can still be read', async () => {
    const clock = new ManualClock();
    const signal = await withTimeout((work) => work.signal, 100, 'tool', { clock });
    await clock.advance(1000);
    expect(signal.aborted).toBe(false);
  });

  test('makes no AbortController for work that does not look at its signal', async () => {
    const made = vi.spyOn(globalThis, 'AbortController');
    try {
      await withTimeout(() => 1, 100, 'tool', { clock: new ManualClock() });
      expect(made).not.toHaveBeenCalled();
    } finally {
      made.mockRestore();
    }
  });

  test.each([
    ['a result', (): Promise<string> => Promise.resolve('late')],
    ['an error', (): Promise<string> => Promise.reject(new Error('late'))],
  ])('drops %s that comes too late', async (_, end) => {
    const clock = new ManualClock();
    let release: (() => void) | undefined;
    const gate = new Promise<void>((resolve) => (release = resolve));
    const call = watch(withTimeout(() => gate.then(end), 100, 'tool', { clock }));
    await clock.advance(100);
    release?.();
    await clock.advance(100);
    expect(call.error).toBeInstanceOf(ToolTimeoutError);
  });

  test('lets work that rejects because of the abort reject in silence', async () => {
    const clock = new ManualClock();
    const work = ({ signal }: TimedWork): Promise<never> =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => {
          reject(new Error('aborted'));
        });
      });
    const call = watch(withTimeout(work, 100, 'tool', { clock }));
    await clock.advance(100);
    expect(call.error).toBeInstanceOf(ToolTimeoutError);
  });

  test('does not touch its siblings when it times out', async () => {
    const clock = new ManualClock();
    const signals: AbortSignal[] = [];
    const work = ({ signal }: TimedWork): Promise<never> => {
      signals.push(signal);
      return never();
    };
    watch(withTimeout(work, 100, 'short', { clock }));
    const sibling = watch(withTimeout(work, 1000, 'long', { clock }));
    await clock.advance(100);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
    expect(sibling.isOver).toBe(false);
  });

  test('rejects with the reason of the caller at once, which is no timeout', async () => {
    const clock = new ManualClock();
    const events: GuardEvent[] = [];
    const controller = new AbortController();
    let inner: AbortSignal | undefined;
    const call = watch(
      withTimeout(
        (work) => {
          inner = work.signal;
          return never();
        },
        100,
        'tool',
        { clock, signal: controller.signal, onEvent: (event) => events.push(event) },
      ),
    );
    controller.abort('enough');
    await clock.advance(0);
    expect(call.error).toBe('enough');
    expect(inner?.reason).toBe('enough');
    await clock.advance(1000);
    expect(events).toEqual([]);
  });

  test('does not begin when the caller has aborted before', async () => {
    const work = vi.fn();
    const signal = AbortSignal.abort('before');
    await expect(withTimeout(work, 100, 'tool', { signal })).rejects.toBe('before');
    expect(work).not.toHaveBeenCalled();
  });

  test('leaves no listener on the signal of the caller', async () => {
    const clock = new ManualClock();
    const { signal } = new AbortController();
    const added = vi.spyOn(signal, 'addEventListener');
    const removed = vi.spyOn(signal, 'removeEventListener');
    await withTimeout((work) => work.signal.aborted, 100, 'tool', { clock, signal });
    watch(withTimeout(never, 100, 'tool', { clock, signal }));
    await clock.advance(100);
    expect(added).toHaveBeenCalledTimes(2);
    expect(removed).toHaveBeenCalledTimes(2);
  });

  test('tells of a timeout, once', async () => {
    const clock = new ManualClock();
    const events: GuardEvent[] = [];
    watch(withTimeout(never, 100, 'slow', { clock, onEvent: (event) => events.push(event) }));
    await clock.advance(5000);
    expect(events).toEqual([{ type: 'call-timed-out', name: 'slow', timeoutMs: 100 }]);
  });

  test('waits for ever with Infinity, and sets no timer', async () => {
    const clock = new ManualClock();
    const call = watch(withTimeout(never, Infinity, 'tool', { clock }));
    expect(clock.pendingTimers).toBe(0);
    await clock.advance(1e9);
    expect(call.isOver).toBe(false);
  });

  test('ends with Infinity when the work does', async () => {
    const clock = new ManualClock();
    expect(await withTimeout(() => 'done', Infinity, 'tool', { clock })).toBe('done');
  });

  test('is called so unless it has a label', async () => {
    const clock = new ManualClock();
    const ended = withTimeout(never, 100, undefined, { clock });
    const failed = expect(ended).rejects.toThrow('timeout: no answer within 100 ms');
    await clock.advance(100);
    await failed;
  });

  test.each([0, -1, Number.NaN])('refuses %d ms', async (timeoutMs) => {
    const work = vi.fn();
    await expect(withTimeout(work, timeoutMs)).rejects.toThrow(
      `timeoutMs: expected milliseconds above 0, or Infinity, got ${timeoutMs}`,
    );
    expect(work).not.toHaveBeenCalled();
  });
});
