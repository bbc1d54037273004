import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ManualClock } from '../testing/manual-clock.ts';
import { BackgroundTimers } from './background-timers.case.ts';
import { COARSE_MS, Deadlines, deadlinesOf } from './deadlines.ts';
import type { DeadlineEntry, DeadlineList } from './deadlines.ts';

class Entry implements DeadlineEntry {
  deadlineAt = 0;
  previous: DeadlineEntry | undefined;
  next: DeadlineEntry | undefined;
  list: DeadlineList | undefined;
  readonly expiredAt: number[] = [];
  readonly #clock: ManualClock;
  readonly #onExpire: () => void;

  constructor(clock: ManualClock, onExpire: () => void = () => undefined) {
    this.#clock = clock;
    this.#onExpire = onExpire;
  }

  expire(): void {
    this.expiredAt.push(this.#clock.now());
    this.#onExpire();
  }
}

/** Counts the timers that are set. */
class CountingClock extends BackgroundTimers {
  timersSet = 0;

  override setTimer(...of: Parameters<BackgroundTimers['setTimer']>): () => void {
    this.timersSet++;
    return super.setTimer(...of);
  }
}

describe('Deadlines', () => {
  test.each([1, 20, 49, 50, 51, 120, 30_000])(
    'expires an entry exactly after %d ms',
    async (ms) => {
      const clock = new ManualClock();
      const deadlines = new Deadlines(clock);
      await clock.advance(7);
      const entry = new Entry(clock);
      deadlines.add(entry, ms);
      await clock.advance(ms - 1);
      expect(entry.expiredAt).toEqual([]);
      await clock.advance(1);
      expect(entry.expiredAt).toEqual([7 + ms]);
      await clock.advance(1000);
      expect(entry.expiredAt).toHaveLength(1);
    },
  );

  test('never expires what was removed', async () => {
    const clock = new ManualClock();
    const deadlines = new Deadlines(clock);
    const entries = Array.from({ length: 5 }, () => new Entry(clock));
    for (const entry of entries) deadlines.add(entry, 100);
    for (const at of [0, 2, 4]) deadlines.remove(entries[at]!);
    deadlines.remove(entries[2]!);
    await clock.advance(500);
    expect(entries.map(({ expiredAt }) => expiredAt)).toEqual([[], [100], [], [100], []]);
  });

  test('sets one timer for a thousand calls that end in time', async () => {
    const clock = new CountingClock();
    const deadlines = new Deadlines(clock);
    for (let at = 0; at < 1000; at++) {
      const entry = new Entry(clock);
      deadlines.add(entry, 30_000);
      deadlines.remove(entry);
    }
    expect(clock.timersSet).toBe(1);
    await clock.advance(COARSE_MS);
    expect(clock.timersSet).toBe(1);
    expect(clock.pendingTimers).toBe(0);
  });

  test('sets no timer anew for a call that ends with the one before it, and none that keeps a process alive', () => {
    const clock = new CountingClock();
    const deadlines = new Deadlines(clock);
    for (let at = 0; at < 3; at++) deadlines.add(new Entry(clock), 20);
    expect([clock.timersSet, clock.keepingAlive]).toEqual([1, 0]);
  });

  test('holds a timer while a call hangs, for the sake of its timeout, and none after it', async () => {
    const clock = new ManualClock();
    const deadlines = new Deadlines(clock);
    const hung = new Entry(clock);
    deadlines.add(hung, 10_000);
    for (let at = 0; at < 9; at++) {
      await clock.advance(1000);
      expect(clock.pendingTimers).toBe(1);
    }
    await clock.advance(1000);
    expect(hung.expiredAt).toEqual([10_000]);
    expect(clock.pendingTimers).toBe(0);
  });

  test('is exact for a short deadline that comes while the timer is set for later', async () => {
    const clock = new ManualClock();
    const deadlines = new Deadlines(clock);
    const long = new Entry(clock);
    const short = new Entry(clock);
    deadlines.add(long, 1000);
    await clock.advance(5);
    deadlines.add(short, 3);
    expect(clock.pendingTimers).toBe(1);
    await clock.advance(2000);
    expect([short.expiredAt, long.expiredAt]).toEqual([[8], [1000]]);
  });

  test('begins again after it was idle', async () => {
    const clock = new ManualClock();
    const deadlines = new Deadlines(clock);
    const [first, second] = [new Entry(clock), new Entry(clock)];
    deadlines.add(first, 60);
    await clock.advance(5000);
    deadlines.add(second, 60);
    await clock.advance(5000);
    expect([first.expiredAt, second.expiredAt]).toEqual([[60], [5060]]);
  });

  test('lets an entry be added from one that expires', async () => {
    const clock = new CountingClock();
    const deadlines = new Deadlines(clock);
    const after = new Entry(clock);
    const other = new Entry(clock);
    const entry = new Entry(clock, () => {
      deadlines.add(after, 10);
      deadlines.add(other, 2000);
    });
    deadlines.add(entry, 40);
    await clock.advance(40);
    expect([clock.pendingTimers, clock.timersSet]).toEqual([1, 2]);
    await clock.advance(5000);
    expect([after.expiredAt, other.expiredAt]).toEqual([[50], [2040]]);
  });

  test('lets an entry be removed by one that expires with it', async () => {
    const clock = new ManualClock();
    const deadlines = new Deadlines(clock);
    const [second, third] = [new Entry(clock), new Entry(clock)];
    const first = new Entry(clock, () => {
      deadlines.remove(second);
    });
    for (const entry of [first, second, third]) deadlines.add(entry, 100);
    await clock.advance(100);
    expect([first, second, third].map(({ expiredAt }) => expiredAt.length)).toEqual([1, 0, 1]);
  });

  test('goes on after an entry that throws', async () => {
    const clock = new ManualClock();
    const deadlines = new Deadlines(clock);
    const bad = new Entry(clock, () => {
      throw new Error('bad');
    });
    const good = new Entry(clock);
    deadlines.add(bad, 100);
    deadlines.add(good, 100);
    await expect(clock.advance(100)).rejects.toThrow('bad');
    await clock.advance(100);
    expect(good.expiredAt).toHaveLength(1);
  });

  test('keeps nothing of what has ended', async () => {
    const clock = new ManualClock();
    const deadlines = new Deadlines(clock);
    const [first, second] = [new Entry(clock), new Entry(clock)];
    deadlines.add(first, 100);
    deadlines.add(second, 100);
    deadlines.remove(first);
    expect([first.list, first.next, first.previous]).toEqual([undefined, undefined, undefined]);
    await clock.advance(100);
    expect([second.list, second.next, second.previous]).toEqual([undefined, undefined, undefined]);
    for (let ms = 1; ms <= 100; ms++) deadlines.add(new Entry(clock), ms);
    expect(deadlines.timeouts).toBe(100);
    await clock.advance(100);
    expect(deadlines.timeouts).toBe(0);
  });

  test('expires what is overdue as soon as a process that stood still goes on', async () => {
    const clock = new ManualClock();
    const deadlines = new Deadlines(clock);
    const entries = [30, 10, 20].map((ms) => {
      const entry = new Entry(clock);
      deadlines.add(entry, ms);
      return entry;
    });
    clock.skip(1000);
    await clock.advance(0);
    expect(entries.map(({ expiredAt }) => expiredAt)).toEqual([[1000], [1000], [1000]]);
  });

  test('expires everything exactly on time, whatever is added and removed', async () => {
    const step = fc.oneof(
      fc.record({ add: fc.constantFrom(1, 30, 50, 75, 200, 1000) }),
      fc.record({ remove: fc.nat(50) }),
      fc.record({ advance: fc.integer({ min: 0, max: 120 }) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const clock = new ManualClock();
        const deadlines = new Deadlines(clock);
        const entries: { entry: Entry; due: number; removedAt: number }[] = [];
        for (const what of steps) {
          if ('add' in what) {
            const entry = new Entry(clock);
            deadlines.add(entry, what.add);
            entries.push({ entry, due: clock.now() + what.add, removedAt: Infinity });
          } else if ('remove' in what) {
            const chosen = entries[what.remove];
            if (chosen === undefined) continue;
            deadlines.remove(chosen.entry);
            chosen.removedAt = Math.min(chosen.removedAt, clock.now());
          } else await clock.advance(what.advance);
          expect(clock.pendingTimers).toBeLessThanOrEqual(1);
        }
        await clock.advance(2000);
        for (const { entry, due, removedAt } of entries)
          expect(entry.expiredAt).toEqual(removedAt < due ? [] : [due]);
        expect(clock.pendingTimers).toBe(0);
      }),
      { numRuns: 60 },
    );
  });
});

describe('deadlinesOf', () => {
  test('is the same for one clock and another for another', () => {
    const clock = new ManualClock();
    expect(deadlinesOf(clock)).toBe(deadlinesOf(clock));
    expect(deadlinesOf(clock)).not.toBe(deadlinesOf(new ManualClock()));
  });
});
