import { describe, expect, test } from 'vitest';
import { PendingArguments } from './pending-arguments.ts';

describe('the arguments of running calls', () => {
  test('are given back once, the oldest first', () => {
    const pending = new PendingArguments();
    const data = new Map<string, unknown>();
    for (const n of [1, 2]) pending.add(data, 'ls', { n });
    pending.add(data, 'cat', { n: 3 });
    const taken = ['ls', 'cat', 'ls', 'ls'].map((key) => pending.take(data, key));
    expect(taken).toEqual([{ n: 1 }, { n: 3 }, { n: 2 }, undefined]);
  });

  test('are kept apart by conversation', () => {
    const pending = new PendingArguments();
    pending.add(new Map(), 'ls', { n: 1 });
    expect(pending.take(new Map(), 'ls')).toBeUndefined();
  });

  test('are forgotten where no end is ever told', () => {
    const pending = new PendingArguments();
    const data = new Map<string, unknown>();
    for (let n = 0; n < 60; n++) pending.add(data, 'ls', { n });
    expect(pending.take(data, 'ls')).toEqual({ n: 10 });
  });
});
