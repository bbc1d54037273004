import { afterAll, beforeAll, describe } from 'vitest';
import { describeCircuitStore } from '../packages/core/src/guard/store/circuit-store-suite.case.ts';
import { needsPart } from './support/needs-part.ts';
import { CLIENT_KINDS, connectToCluster } from './support/redis-clients.ts';
import type { ConnectedClient } from './support/redis-clients.ts';
import { RedisCluster } from './support/redis-server.ts';
import { administer, redisUnderTest } from './support/redis-under-test.ts';
import type { Admins } from './support/redis-under-test.ts';

const redis = needsPart('redis-server');

describe.skipIf(redis.isMissing)(`a real cluster of Redis${redis.why}`, () => {
  let cluster: RedisCluster;
  let admins: Admins;

  beforeAll(async () => {
    cluster = await RedisCluster.start();
    admins = await administer(cluster.nodes);
  }, 60_000);
  afterAll(async () => {
    for (const admin of admins) admin.destroy();
    await cluster.stop();
  });

  describe.each(CLIENT_KINDS)('by %s', (kind) => {
    let clients: [ConnectedClient, ConnectedClient];

    beforeAll(async () => {
      clients = [await connectToCluster(cluster, kind), await connectToCluster(cluster, kind)];
    });
    afterAll(() => {
      for (const client of clients) client.close();
    });

    describeCircuitStore('RedisCircuitStore', () => redisUnderTest(admins, clients, 'by ageing'));
  });
});
