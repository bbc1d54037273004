import { describe, expect, test, vi } from 'vitest';
import { LazySignal } from './lazy-signal.ts';
import { watchedSignal } from './watched-signal.case.ts';

describe('LazySignal', () => {
  test('makes no controller until it is looked at, and then one', () => {
    const made = vi.spyOn(globalThis, 'AbortController');
    try {
      const lazy = new LazySignal();
      lazy.release();
      expect(made).not.toHaveBeenCalled();
      expect(lazy.signal).toBe(lazy.signal);
      expect(made).toHaveBeenCalledTimes(1);
    } finally {
      made.mockRestore();
    }
  });

  test('aborts with the reason it is given, whether it was looked at before or after', () => {
    const [before, after] = [new LazySignal(), new LazySignal()];
    const { signal } = before;
    before.abort('over');
    after.abort('over');
    expect([signal.aborted, signal.reason]).toEqual([true, 'over']);
    expect([after.signal.aborted, after.signal.reason]).toEqual([true, 'over']);
  });

  test('keeps the first reason', () => {
    const lazy = new LazySignal();
    const { signal } = lazy;
    lazy.abort('first');
    lazy.abort('second');
    expect(signal.reason).toBe('first');
  });

  test('keeps the first reason also where nobody looked before the second', () => {
    const lazy = new LazySignal();
    lazy.abort('first');
    lazy.abort('second');
    expect(lazy.signal.reason).toBe('first');
  });

  test('follows the signal of the caller', () => {
    const { controller } = watchedSignal();
    const lazy = new LazySignal(controller.signal);
    const { signal } = lazy;
    expect(signal.aborted).toBe(false);
    controller.abort('enough');
    expect([signal.aborted, signal.reason]).toEqual([true, 'enough']);
  });

  test('is aborted from the start where the signal of the caller is', () => {
    expect(new LazySignal(AbortSignal.abort('before')).signal.reason).toBe('before');
  });

  test('does not listen to the caller before it is looked at', () => {
    const { controller, listeners } = watchedSignal();
    const lazy = new LazySignal(controller.signal);
    expect(listeners()).toBe(0);
    expect([lazy.signal.aborted, lazy.signal.aborted]).toEqual([false, false]);
    expect(listeners()).toBe(1);
  });

  test.each(['release', 'abort'] as const)('leaves no listener behind after %s', (end) => {
    const { controller, listeners } = watchedSignal();
    const lazy = new LazySignal(controller.signal, () => undefined);
    expect(listeners()).toBe(1);
    lazy[end]('over');
    lazy[end]('over');
    expect(listeners()).toBe(0);
  });

  test('does not follow once released', () => {
    const { controller, listeners } = watchedSignal();
    const lazy = new LazySignal(controller.signal);
    lazy.release();
    const { signal } = lazy;
    controller.abort();
    expect([signal.aborted, listeners()]).toEqual([false, 0]);
  });

  test('tells of the abort of the caller before the work is told', () => {
    const { controller } = watchedSignal();
    const told: string[] = [];
    const lazy = new LazySignal(controller.signal, (reason) =>
      told.push(`call: ${String(reason)}`),
    );
    lazy.signal.addEventListener('abort', () => told.push('work'));
    controller.abort('enough');
    expect(told).toEqual(['call: enough', 'work']);
  });

  test('does not tell of its own abort', () => {
    const told = vi.fn();
    new LazySignal(new AbortController().signal, told).abort('over');
    expect(told).not.toHaveBeenCalled();
  });
});
