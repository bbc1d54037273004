import { describe, expect, test, vi } from 'vitest';
import { ManualClock } from '../testing/manual-clock.ts';
import { abortableDelay } from './abortable-delay.ts';
import { watchedSignal } from './watched-signal.case.ts';

describe('abortableDelay', () => {
  test('ends after the time, not before', async () => {
    const clock = new ManualClock();
    const ended = vi.fn();
    void abortableDelay(100, clock).then(ended);
    await clock.advance(99);
    expect(ended).not.toHaveBeenCalled();
    await clock.advance(1);
    expect(ended).toHaveBeenCalledTimes(1);
  });

  test('throws the reason of an abort at once, and cancels its timer', async () => {
    const clock = new ManualClock();
    const controller = new AbortController();
    const delay = abortableDelay(100, clock, controller.signal);
    expect(clock.pendingTimers).toBe(1);
    controller.abort('enough');
    await expect(delay).rejects.toBe('enough');
    expect(clock.now()).toBe(0);
    expect(clock.pendingTimers).toBe(0);
  });

  test('sets no timer after an abort', async () => {
    const clock = new ManualClock();
    await expect(abortableDelay(100, clock, AbortSignal.abort('before'))).rejects.toBe('before');
    expect(clock.pendingTimers).toBe(0);
  });

  test('leaves no listener on the signal', async () => {
    const clock = new ManualClock();
    const { signal, listeners } = watchedSignal();
    const delay = abortableDelay(100, clock, signal);
    expect(listeners()).toBe(1);
    await clock.advance(100);
    await delay;
    expect(listeners()).toBe(0);
  });
});
