import { describe, expect, test, vi } from 'vitest';
import { ManualClock } from '../testing/manual-clock.ts';
import { withFallback } from './fallback.ts';
import type { Fallback } from './fallback.ts';
import { LastGood } from './last-good.ts';

const failure = Object.assign(new Error('HTTP 503'), { status: 503 });
const failing = (): Promise<string> => Promise.reject(failure);

describe('withFallback', () => {
  test.each<[string, Fallback<string>]>([
    ['a value', { value: 'instead' }],
    ['a function', () => 'instead'],
    ['a function that takes its time', async () => 'instead'],
  ])('gives what the work returns, and %s where it fails', async (_, fallback) => {
    expect(await withFallback(() => 'mine', fallback)).toBe('mine');
    expect(await withFallback(failing, fallback)).toBe('instead');
  });

  test('hands the signal to the work', async () => {
    const { signal } = new AbortController();
    expect(await withFallback((work) => work.signal, { value: undefined }, { signal })).toBe(
      signal,
    );
  });

  test('gives a value that is undefined', async () => {
    expect(await withFallback<unknown>(failing, { value: undefined })).toBeUndefined();
  });

  test('tells the function what failed', async () => {
    const fallback = vi.fn(() => 'instead');
    await withFallback(failing, fallback);
    expect(fallback).toHaveBeenCalledWith(
      expect.objectContaining({ class: 'server', status: 503, cause: failure }),
    );
  });

  test('takes a result that says isError for a failure', async () => {
    const result = { isError: true };
    expect(await withFallback<unknown>(() => result, { value: 'instead' })).toBe('instead');
  });

  test('throws what the function throws', async () => {
    const worse = (): never => {
      throw new Error('worse');
    };
    await expect(withFallback(failing, worse)).rejects.toThrow('worse');
  });

  test('gives nothing to a caller that aborted', async () => {
    const controller = new AbortController();
    const fallback = vi.fn(() => 'instead');
    const work = (): Promise<string> => {
      controller.abort();
      return failing();
    };
    await expect(withFallback(work, fallback, { signal: controller.signal })).rejects.toBe(failure);
    expect(fallback).not.toHaveBeenCalled();
  });

  describe('with the last good value', () => {
    test('gives what the same question was last answered with', async () => {
      const lastGood = new LastGood<string>({ clock: new ManualClock() });
      await withFallback(() => 'sunny', { lastGood }, { key: 'Rome' });
      await withFallback(() => 'rain', { lastGood }, { key: 'Oslo' });
      expect(await withFallback(failing, { lastGood }, { key: 'Rome' })).toBe('sunny');
    });

    test('throws where there is none, or none young enough', async () => {
      const clock = new ManualClock();
      const lastGood = new LastGood<string>({ clock, maxAgeMs: 1000 });
      await expect(withFallback(failing, { lastGood }, { key: 'Rome' })).rejects.toBe(failure);
      await withFallback(() => 'sunny', { lastGood }, { key: 'Rome' });
      clock.skip(1001);
      await expect(withFallback(failing, { lastGood }, { key: 'Rome' })).rejects.toBe(failure);
    });

    test('remembers no result that says isError, and returns it where there is nothing else', async () => {
      const lastGood = new LastGood({ clock: new ManualClock() });
      const result = { isError: true };
      const ask = (): Promise<unknown> => withFallback(() => result, { lastGood }, { key: 'k' });
      expect(await ask()).toBe(result);
      expect(lastGood.recall('k')).toBeUndefined();
    });

    test('needs to know what is asked for', async () => {
      const work = vi.fn(() => 'mine');
      await expect(withFallback(work, { lastGood: new LastGood<string>() })).rejects.toThrow(
        'key: expected what is asked for, with lastGood, got undefined',
      );
      expect(work).not.toHaveBeenCalled();
    });
  });

  test.each([{}, null, 'instead', { lastGood: 60_000 }])('refuses %j', async (fallback) => {
    await expect(withFallback(failing, fallback as { value: string })).rejects.toThrow(
      'fallback: expected a function, { value } or { lastGood: LastGood }',
    );
  });
});
