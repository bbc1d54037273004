import { describe, expect, test } from 'vitest';
import { CallSignal } from './call-signal.ts';

describe('the signal of a call', () => {
  test('tells those who listen once, with the first reason', () => {
    const signal = new CallSignal();
    const heard: unknown[] = [];
    const listener = (): void => void heard.push(signal.reason);
    signal.addEventListener('abort', listener);
    signal.addEventListener('abort', listener);
    signal.addEventListener('abort', { handleEvent: ({ type }) => void heard.push(type) });
    expect(signal.aborted).toBe(false);
    signal.throwIfAborted();
    signal.abort('first');
    signal.abort('second');
    expect(heard).toEqual(['first', 'abort']);
    expect(signal.aborted).toBe(true);
    expect(() => signal.throwIfAborted()).toThrow('first');
  });

  test('does not tell those who no longer listen', () => {
    const signal = new CallSignal();
    const heard: string[] = [];
    const listener = { handleEvent: (): void => void heard.push('told') };
    signal.removeEventListener('abort', listener);
    signal.addEventListener('abort', listener);
    signal.removeEventListener('abort', listener);
    signal.abort('now');
    signal.addEventListener('abort', listener);
    expect(heard).toEqual([]);
  });

  test('has the reason of a native one where none is given', () => {
    const signal = new CallSignal();
    const native = new AbortController();
    signal.abort(undefined);
    native.abort();
    expect(signal.reason).toEqual(native.signal.reason);
  });
});
