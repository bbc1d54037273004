import { describe, expect, it } from 'vitest';
import { ManualClock } from '../../../testing/manual-clock.ts';
import { report, rules } from '../circuit-store-suite.case.ts';
import type { RedisClient } from './redis-client.ts';
import { RedisCircuitStore } from './redis-circuit-store.ts';
import { RedisKeys } from './redis-keys.ts';
import { SCRIPTS } from './scripts.ts';

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

    await expect(store.join(record, 1_000)).rejects.toMatchObject({
      name: 'CircuitStoreError',
      message: 'Redis cannot join: its answer was not understood: undefined',
    });
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

  it('tells what it did not understand of a list', async () => {
    const store = new RedisCircuitStore({ client: answering(['1', '2']) });

    await expect(store.settle('x', settlement)).rejects.toThrow(
      'Redis cannot settle: its answer was not understood: a list of 2 values',
    );
    const broken = new RedisCircuitStore({ client: answering(ANSWER.with(3, 'ajar')) });
    await expect(broken.report('x', report())).rejects.toThrow(
      'Redis cannot report: its answer was not understood: a list of 14 values',
    );
  });

  it('sends each question with its own script, to the key of its circuit', async () => {
    const sent: Sent[] = [];
    const store = new RedisCircuitStore({ client: answering(ANSWER, sent) });
    const open = { version: 7, state: 'open', openForMs: 1500, reason: 'probe_failed' };

    expect(await store.report('search', report())).toMatchObject(open);
    const lease = { replica: 'a', token: 'a:1', ttlMs: 5000, rules: rules() };
    expect(await store.lease('search', lease)).toMatchObject({ granted: false, shared: open });
    expect(await store.settle('search', settlement)).toMatchObject(open);
    const reset = { type: 'reset', replica: 'a' } as const;
    expect(await store.override('search', reset)).toMatchObject(open);

    const names = ['report', 'lease', 'settle', 'override'] as const;
    expect(sent.map(({ sha1 }) => sha1)).toEqual(names.map((name) => SCRIPTS[name].sha1));
    const keys = new RedisKeys('holdfast');
    for (const { key } of sent) expect(key).toBe(keys.circuit('search'));
  });

  it('knows a lease that was granted', async () => {
    const store = new RedisCircuitStore({ client: answering(ANSWER.with(1, '1')) });
    const lease = { replica: 'a', token: 'a:1', ttlMs: 5000, rules: rules() };

    expect((await store.lease('search', lease)).granted).toBe(true);
  });

  it('tells everybody of a transition, and of nothing else', async () => {
    const told: string[] = [];
    const publish = (_: string, message: string): Promise<unknown> => {
      told.push(message);
      return Promise.resolve();
    };
    for (const isTransition of ['0', '1']) {
      const answers = { ...answering(ANSWER.with(0, isTransition)), publish };
      await new RedisCircuitStore({ client: answers }).settle('search', settlement);
    }

    expect(told.map((message) => JSON.parse(message) as unknown)).toEqual([
      ['search', ...ANSWER.with(0, '1')],
    ]);
  });

  it('says who is there and for how long, and who has left', async () => {
    const sent: Sent[] = [];
    const store = new RedisCircuitStore({ client: answering('3', sent) });
    expect(await store.join(record, 15_000)).toBe(3);
    await store.leave('a');
    const { replicas } = new RedisKeys('holdfast');

    expect(sent).toEqual([
      { sha1: SCRIPTS.join.sha1, key: replicas, values: ['a', '15000', JSON.stringify(record)] },
      { sha1: SCRIPTS.leave.sha1, key: replicas, values: ['a'] },
    ]);
  });

  it('lists replicas by name, whatever their order, and what is no text is none', async () => {
    const sent: Sent[] = [];
    const named = (id: string): string => JSON.stringify({ ...record, id });
    const reply = [named('c'), null, named('a'), 7, {}, named('d'), named('b')];
    const store = new RedisCircuitStore({ client: answering(reply, sent) });

    expect((await store.replicas()).map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd']);
    expect(sent).toMatchObject([{ sha1: SCRIPTS.list.sha1, values: [] }]);
  });

  it('listens with a connection of its own', async () => {
    const channels: string[] = [];
    let heard: (message: string) => void = () => undefined;
    const subscribe = (channel: string, listener: (message: string) => void): Promise<unknown> => {
      channels.push(channel);
      heard = listener;
      return Promise.resolve();
    };
    const duplicate = (): ReturnType<typeof client.duplicate> => ({
      ...client.duplicate(),
      subscribe: subscribe as typeof nothing,
    });
    const clock = new ManualClock();
    const store = new RedisCircuitStore({ client: { ...client, duplicate }, clock });
    const news: string[] = [];
    const watching = store.watch((circuit, { state }) => news.push(`${circuit} ${state}`));
    await clock.advance(0);
    const stop = await watching;
    heard(JSON.stringify(['search', ...ANSWER]));
    await stop();
    heard(JSON.stringify(['search', ...ANSWER]));

    expect(channels).toEqual([new RedisKeys('holdfast').channel]);
    expect(news).toEqual(['search open']);
  });
});

interface Sent {
  readonly sha1: string;
  readonly key: string | undefined;
  readonly values: readonly string[] | undefined;
}

const ANSWER = [
  ...['0', '0', '7', 'open', '1500', '1', 'probe_failed', null, 'a'],
  ...['0', '0', '0', '5', '0'],
];

/** A client whose server has but one answer. */
function answering(reply: unknown, sent: Sent[] = []): RedisClient {
  return {
    ...client,
    evalSha: (sha1: string, { keys, arguments: values }: Arguments) => {
      sent.push({ sha1, key: keys?.[0], values });
      return Promise.resolve(reply);
    },
  };
}

interface Arguments {
  readonly keys?: readonly string[];
  readonly arguments?: readonly string[];
}

const settlement = { replica: 'a', token: 'a:1', outcome: 'success', rules: rules() } as const;

const record = {
  id: 'a',
  startedAt: 1,
  notClosed: ['search'],
  circuits: 1,
  calls: 2,
  failures: 3,
  version: '1.0.0',
};
