import { ManualClock } from '@holdfast/core/testing';
import { expect, test } from 'vitest';
import { wait } from './wait.ts';

/** A clock whose timers come a little early, as those of the system do. */
class EarlyClock extends ManualClock {
  override setTimer(callback: () => void, delayMs: number): () => void {
    return super.setTimer(callback, delayMs - 0.5);
  }
}

test('waits until it is time, even where timers come early', async () => {
  const clock = new EarlyClock();
  let isOver = false;
  const waiting = wait(1000, clock, new AbortController().signal).then(() => (isOver = true));
  await clock.advance(999.5);
  expect(isOver).toBe(false);
  await clock.advance(0.5);
  await waiting;
  expect([clock.now(), clock.pendingTimers]).toEqual([1000, 0]);
});

test('does not wait for what is due', async () => {
  await wait(0, new ManualClock(), new AbortController().signal);
});

test('ends with the signal, and leaves nothing behind', async () => {
  const clock = new ManualClock();
  const abort = new AbortController();
  const waiting = wait(1000, clock, abort.signal);
  abort.abort(new Error('gone'));
  await expect(waiting).rejects.toThrow('gone');
  expect(clock.pendingTimers).toBe(0);
});
