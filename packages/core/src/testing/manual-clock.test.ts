import { describe, expect, test } from 'vitest';
import { InvalidOptionError } from '../errors.ts';
import { ManualClock } from './manual-clock.ts';

describe('ManualClock', () => {
  test('stands still until it is told to move', async () => {
    const clock = new ManualClock(100, 5000);
    expect([clock.now(), clock.wallTime()]).toEqual([100, 5000]);
    await clock.advance(50);
    expect([clock.now(), clock.wallTime()]).toEqual([150, 5050]);
  });

  test('fires what is due in the order of time, then of setting', async () => {
    const clock = new ManualClock();
    const fired: string[] = [];
    clock.setTimer(() => fired.push(`c ${clock.now()}`), 30);
    clock.setTimer(() => fired.push(`a ${clock.now()}`), 10);
    clock.setTimer(() => fired.push(`b ${clock.now()}`), 10);
    clock.setTimer(() => fired.push('late'), 31);
    await clock.advance(30);
    expect(fired).toEqual(['a 10', 'b 10', 'c 30']);
    expect(clock.pendingTimers).toBe(1);
  });

  test('fires timers that timers set, if they are due too', async () => {
    const clock = new ManualClock();
    const fired: number[] = [];
    const again = (): void => {
      fired.push(clock.now());
      clock.setTimer(again, 10);
    };
    clock.setTimer(again, 10);
    await clock.advance(35);
    expect(fired).toEqual([10, 20, 30]);
  });

  test('lets promises settle between timers', async () => {
    const clock = new ManualClock();
    const slept: number[] = [];
    const sleep = (ms: number): Promise<void> =>
      new Promise((resolve) => void clock.setTimer(resolve, ms));
    const work = (async () => {
      for (let turn = 0; turn < 3; turn++) {
        await sleep(10);
        slept.push(clock.now());
      }
    })();
    await clock.advance(30);
    await work;
    expect(slept).toEqual([10, 20, 30]);
  });

  test('does not fire what was cancelled', async () => {
    const clock = new ManualClock();
    let fired = false;
    const cancel = clock.setTimer(() => (fired = true), 10);
    cancel();
    await clock.advance(10);
    expect([fired, clock.pendingTimers]).toEqual([false, 0]);
  });

  test('skips without firing; what is overdue fires with the next step', async () => {
    const clock = new ManualClock();
    const fired: number[] = [];
    clock.setTimer(() => fired.push(clock.now()), 10);
    clock.skip(25);
    expect(fired).toEqual([]);
    await clock.advance(0);
    expect(fired).toEqual([25]);
  });

  test.each([-1, NaN, Infinity])('refuses to move by %s', async (ms) => {
    const clock = new ManualClock();
    await expect(clock.advance(ms)).rejects.toThrow(InvalidOptionError);
    expect(() => {
      clock.skip(ms);
    }).toThrow(InvalidOptionError);
  });
});
