import { describe, expect, test } from 'vitest';
import { upstreamToScripted } from '../upstream/scripted-server.case.ts';
import type { UpstreamToScripted } from '../upstream/scripted-server.case.ts';
import { ResourceSubscriptions } from './resource-subscriptions.ts';

function begin(): UpstreamToScripted & { readonly subscriptions: ResourceSubscriptions } {
  const held: { subscriptions?: ResourceSubscriptions } = {};
  const upstream = upstreamToScripted({
    listener: { onConnected: (server) => held.subscriptions?.renew(server) },
  });
  const { clock, log } = upstream;
  const subscriptions = new ResourceSubscriptions({ timeoutMs: 1000, clock, log });
  held.subscriptions = subscriptions;
  return { ...upstream, subscriptions };
}

describe('subscriptions to resources', () => {
  test('are told to the server once, and taken back by the last who leaves', async () => {
    const { subscriptions, server, script } = begin();
    const stops = await Promise.all([1, 2].map(() => subscriptions.add('note://one', server)));
    expect(script.count('resources/subscribe')).toBe(1);
    await stops[0]?.();
    await stops[0]?.();
    expect(script.count('resources/unsubscribe')).toBe(0);
    await stops[1]?.();
    expect(script.count('resources/unsubscribe')).toBe(1);
    await subscriptions.add('note://one', server);
    expect(script.count('resources/subscribe')).toBe(2);
  });

  test('that the server refuses leave nothing behind, for all who asked', async () => {
    const { subscriptions, server, script } = begin();
    script.answers.set('resources/subscribe', () => {
      throw new Error('no such thing');
    });
    const results = await Promise.allSettled([
      subscriptions.add('note://one', server),
      subscriptions.add('note://one', server),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(script.count('resources/unsubscribe')).toBe(0);
    script.answers.delete('resources/subscribe');
    const stop = await subscriptions.add('note://one', server);
    await stop();
    expect(script.count('resources/unsubscribe')).toBe(1);
  });

  test('are begun anew with a server that came back', async () => {
    const { subscriptions, server, script, clock } = begin();
    const stop = await subscriptions.add('note://one', server);
    await script.end();
    await clock.advance(250);
    await expect.poll(() => script.count('resources/subscribe')).toBe(2);
    await stop();
    expect(script.count('resources/unsubscribe')).toBe(1);
    await script.end();
    await clock.advance(1000);
    await expect.poll(() => server.status.reconnects).toBe(2);
    expect(script.count('resources/subscribe')).toBe(2);
  });

  test('are not taken back from a server that has gone', async () => {
    const { subscriptions, server, script } = begin();
    const stop = await subscriptions.add('note://one', server);
    script.mood = 'refuses';
    await script.end();
    await stop();
    expect(script.count('resources/unsubscribe')).toBe(0);
  });
});
