import { describe, expect, test } from 'vitest';
import { ClientSubscriptions } from './client-subscriptions.ts';

function begin(isWilling = true): {
  readonly subscriptions: ClientSubscriptions;
  readonly events: string[];
} {
  const events: string[] = [];
  const subscriptions = new ClientSubscriptions({
    subscribe: async (uri) => {
      events.push(`+${uri}`);
      await Promise.resolve();
      if (!isWilling) throw new Error('no such thing');
      return async () => void events.push(`-${uri}`);
    },
  });
  return { subscriptions, events };
}

describe('the subscriptions of a client', () => {
  test('are made once, and hold from the moment they are asked for', async () => {
    const { subscriptions, events } = begin();
    const both = [subscriptions.add('a'), subscriptions.add('a')];
    expect(subscriptions.has('a')).toBe(true);
    await Promise.all(both);
    await subscriptions.remove('a');
    await subscriptions.remove('a');
    expect(subscriptions.has('a')).toBe(false);
    expect(events).toEqual(['+a', '-a']);
  });

  test('that are refused are none', async () => {
    const { subscriptions, events } = begin(false);
    await expect(subscriptions.add('a')).rejects.toThrow('no such thing');
    expect(subscriptions.has('a')).toBe(false);
    await subscriptions.remove('a');
    expect(events).toEqual(['+a']);
  });

  test('are taken back when the client goes, those too that are not yet made', async () => {
    const { subscriptions, events } = begin();
    await subscriptions.add('a');
    const late = subscriptions.add('b');
    subscriptions.clear();
    await late;
    await expect.poll(() => events).toEqual(['+a', '+b', '-a', '-b']);
  });
});
