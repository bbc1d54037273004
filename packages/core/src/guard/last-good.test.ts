import { describe, expect, test } from 'vitest';
import { ManualClock } from '../testing/manual-clock.ts';
import { LastGood } from './last-good.ts';

describe('LastGood', () => {
  test('recalls the last value of each key, undefined too', () => {
    const good = new LastGood({ clock: new ManualClock() });
    good.remember('a', 1);
    good.remember('a', 2);
    good.remember('b', undefined);
    expect(good.recall('a')?.value).toBe(2);
    expect(good.recall('b')).toMatchObject({ value: undefined });
    expect(good.recall('c')).toBeUndefined();
  });

  test('forgets what is too old', () => {
    const clock = new ManualClock();
    const good = new LastGood({ clock, maxAgeMs: 1000 });
    clock.skip(700);
    good.remember('a', 1);
    clock.skip(1000);
    expect(good.recall('a')?.value).toBe(1);
    clock.skip(1);
    expect(good.recall('a')).toBeUndefined();
  });

  test('keeps so many, and drops the one that was good longest ago', () => {
    const good = new LastGood({ clock: new ManualClock(), maxEntries: 2 });
    for (const key of ['a', 'b', 'a', 'c']) good.remember(key, key);
    expect(['a', 'b', 'c'].map((key) => good.recall(key)?.value)).toEqual(['a', undefined, 'c']);
  });

  test.each([
    [{ maxAgeMs: 0 }, 'lastGood.maxAgeMs: expected milliseconds, at least 1, or Infinity, got 0'],
    [{ maxEntries: 0 }, 'lastGood.maxEntries: expected a whole number of at least 1, got 0'],
    [{ ttl: 1 }, 'lastGood.ttl: expected an option that exists'],
  ])('refuses %j', (options, message) => {
    expect(() => new LastGood(options as object)).toThrow(message);
  });
});
