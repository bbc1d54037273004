import { afterAll, beforeAll, describe } from 'vitest';
import { describeCircuitStore } from '../packages/core/src/guard/store/circuit-store-suite.case.ts';
import { needsPart } from './support/needs-part.ts';
import { CLIENT_KINDS, connectTo } from './support/redis-clients.ts';
import type { ConnectedClient } from './support/redis-clients.ts';
import { RedisServer } from './support/redis-server.ts';
import { administer, redisUnderTest } from './support/redis-under-test.ts';
import type { Admins } from './support/redis-under-test.ts';

const redis = needsPart('redis-server');

describe.skipIf(redis.isMissing).each(CLIENT_KINDS)(`a real Redis by %s${redis.why}`, (kind) => {
  let server: RedisServer;
  let admins: Admins;
  let clients: [ConnectedClient, ConnectedClient];

  beforeAll(async () => {
    server = await RedisServer.start();
    admins = await administer([server]);
    clients = [await connectTo(server, kind), await connectTo(server, kind)];
  });
  afterAll(async () => {
    for (const client of clients) client.close();
    for (const admin of admins) admin.destroy();
    await server.stop();
  });

  const passing = kind === 'ioredis' ? 'by ageing' : 'really';
  describeCircuitStore('RedisCircuitStore', () => redisUnderTest(admins, clients, passing));
});
