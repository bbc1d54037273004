import { describe, expect, it } from 'vitest';
import type { RedisClient } from './redis-client.ts';
import { RedisCircuitStore } from './redis-circuit-store.ts';

const nothing = (): Promise<unknown> => Promise.resolve();
/** A client of `@redis/client` as far as can be seen from outside. */
const client = {
  isReady: true,
  eval: nothing,
  evalSha: nothing,
  publish: nothing,
  sPublish: nothing,
  on: nothing,
  duplicate: () => ({
    connect: nothing,
    subscribe: nothing,
    sSubscribe: nothing,
    on: nothing,
    destroy: nothing,
  }),
} satisfies RedisClient;

describe('RedisCircuitStore', () => {
  it('refuses options that it does not have or cannot use', () => {
    // @ts-expect-error There is no such option.
    expect(() => new RedisCircuitStore({ client, url: 'redis://localhost' })).toThrow(
      'redis store.url: expected an option that exists (client, prefix, clock), got "redis://localhost"',
    );
    expect(() => new RedisCircuitStore({ client, prefix: '{a}' })).toThrow(
      'redis store.prefix: expected at most 64 letters, digits and _ . : / -, got "{a}"',
    );
  });

  it('refuses what is no client', () => {
    const refused =
      'redis store.client: expected a client of @redis/client or ioredis, got an object';

    expect(() => new RedisCircuitStore({ client: {} as RedisClient })).toThrow(refused);
    // @ts-expect-error The client is missing.
    expect(() => new RedisCircuitStore({})).toThrow('redis store.client: expected');
  });

  it('tells what it did not understand', async () => {
    const store = new RedisCircuitStore({ client });

    await expect(store.join(record, 1_000)).rejects.toThrow(
      'Redis cannot join: its answer was not understood: undefined',
    );
    await expect(store.replicas()).rejects.toThrow(
      'Redis cannot list: its answer was not understood: undefined',
    );
    await expect(store.override('x', { type: 'reset', replica: 'a' })).rejects.toThrow(
      'Redis cannot override: its answer was not understood: undefined',
    );
  });

  it('leaves out replicas whose records it cannot read', async () => {
    const reply = [
      '{',
      '{}',
      'null',
      '7',
      JSON.stringify({ ...record, calls: 'x' }),
      JSON.stringify(record),
    ];
    const store = new RedisCircuitStore({
      client: { ...client, evalSha: () => Promise.resolve(reply) },
    });

    expect(await store.replicas()).toEqual([record]);
  });
});

const record = {
  id: 'a',
  startedAt: 1,
  notClosed: ['search'],
  circuits: 1,
  calls: 2,
  failures: 3,
  version: '1.0.0',
};
