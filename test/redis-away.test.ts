import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CircuitStoreError, RedisCircuitStore } from '@holdfast/core/redis';
import { ManualClock } from '@holdfast/core/testing';
import { report } from '../packages/core/src/guard/store/circuit-store-suite.case.ts';
import { ending } from './support/ending.ts';
import { needsPart } from './support/needs-part.ts';
import { CLIENT_KINDS, connectTo } from './support/redis-clients.ts';
import type { ConnectedClient } from './support/redis-clients.ts';
import { RedisServer } from './support/redis-server.ts';
import { until } from './support/until.ts';

const redis = needsPart('redis-server');
const FAILED = report({ calls: 10, failures: 10 });
const CHANNEL = 'holdfast:{~news}';

describe.skipIf(redis.isMissing).each(CLIENT_KINDS)(`Redis away, by %s${redis.why}`, (kind) => {
  const rejections: unknown[] = [];
  const note = (error: unknown): void => void rejections.push(error);
  let server: RedisServer;
  let connected: ConnectedClient;
  let store: RedisCircuitStore;

  beforeEach(async () => {
    rejections.length = 0;
    process.on('unhandledRejection', note);
    server = await RedisServer.start();
    connected = await connectTo(server, kind);
    store = new RedisCircuitStore({ client: connected.client });
  });
  afterEach(async () => {
    connected.close();
    await server.stop();
    process.off('unhandledRejection', note);
    expect(rejections).toEqual([]);
  });

  it('is told at once, and is used again when it is back', async () => {
    await store.report('search', report({ calls: 1 }));
    await server.kill();
    // The first may have been sent before the client knew.
    const first = ending(store.report('search', report({ calls: 1 })));
    await until(async () => (await ending(store.leave('a'))).error !== undefined);
    const endings = await Promise.all(
      Array.from({ length: 50 }, () => ending(store.report('search', report({ calls: 1 })))),
    );
    await server.restart();
    await until(async () => (await ending(store.leave('a'))).error === undefined);
    await first;

    for (const { error, tookMs } of endings) {
      expect(error).toBeInstanceOf(CircuitStoreError);
      expect(String(error)).toContain('Redis cannot report: the client is not connected');
      expect(tookMs).toBeLessThan(500);
    }
    // Nothing of what was refused was sent later.
    expect((await store.report('search', report())).calls).toBeLessThanOrEqual(1);
  });

  it('has its news heard again', async () => {
    const heard: string[] = [];
    const stop = await store.watch((circuit, { state }) => void heard.push(`${circuit} ${state}`));
    await store.report('before', FAILED);
    await until(() => heard.includes('before open'));
    await server.kill();
    await server.restart();
    await until(async () => (await ending(store.leave('a'))).error === undefined);
    await until(async () => (await server.cli('pubsub', 'numsub', CHANNEL)).endsWith('1'));
    await store.report('after', FAILED);
    await until(() => heard.includes('after open'));
    await stop();

    await until(async () => (await server.cli('pubsub', 'numsub', CHANNEL)).endsWith('0'));
  });

  it('keeps no more than a few commands while it does not answer', async () => {
    const clock = new ManualClock();
    store = new RedisCircuitStore({ client: connected.client, clock });
    await store.report('search', report({ calls: 1 }));
    server.pause();
    const endings = Array.from({ length: 16 }, () => ending(store.report('search', report())));
    clock.skip(5_001);
    const refused = await ending(store.report('search', report()));
    server.resume();
    const answered = await Promise.all(endings);

    expect(refused.tookMs).toBeLessThan(100);
    expect(String(refused.error)).toContain('16 commands are unanswered, and none was in 5001 ms');
    expect(answered.map(({ error }) => error)).toEqual(Array.from({ length: 16 }));
    expect(await store.report('search', report())).toMatchObject({ calls: 1 });
  });

  it('ignores what it does not understand among the news, and listeners that throw', async () => {
    const heard: string[] = [];
    const stopOne = await store.watch(() => {
      throw new Error('mine');
    });
    const stopOther = await store.watch((circuit) => void heard.push(circuit));
    for (const garbage of ['', 'x', '[]', '{}', '[1]', '["a","1","0","x","open"]', '[null]'])
      await server.cli('publish', CHANNEL, garbage);
    await store.report('search', FAILED);
    await until(() => heard.length > 0);
    await Promise.all([stopOne(), stopOther()]);

    expect(heard).toEqual(['search']);
  });
});
