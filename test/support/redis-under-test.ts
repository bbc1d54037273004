import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '@redis/client';
import type { RedisClientType } from '@redis/client';
import { RedisCircuitStore } from '@holdfast/core/redis';
import type { StoreUnderTest } from '../../packages/core/src/guard/store/circuit-store-suite.case.ts';
import { ageRedis } from './age-redis.ts';
import type { ConnectedClient } from './redis-clients.ts';
import type { RedisServer } from './redis-server.ts';

/** News really take their time. */
const NEWS_MS = 100;

/** The commands of somebody who looks after the servers, one for each. */
export type Admins = readonly RedisClientType[];

export async function administer(nodes: readonly RedisServer[]): Promise<Admins> {
  const connect = async ({ url }: RedisServer): Promise<RedisClientType> => {
    const admin: RedisClientType = createClient({ url });
    await admin.connect();
    return admin;
  };
  return Promise.all(nodes.map(connect));
}

/**
 * Two stores on clients of their own, for the suite that every store passes. Each begins with nothing. To wait
 * for all its times takes long: once is enough, and otherwise what is kept is made older.
 */
export async function redisUnderTest(
  admins: Admins,
  clients: readonly [ConnectedClient, ConnectedClient],
  passing: 'really' | 'by ageing',
): Promise<StoreUnderTest> {
  const empty = async (): Promise<void> => {
    await Promise.all(admins.map((admin) => admin.flushAll()));
  };
  await empty();
  return {
    one: new RedisCircuitStore({ client: clients[0].client }),
    other: new RedisCircuitStore({ client: clients[1].client }),
    advance: async (ms) => {
      if (passing === 'really') return sleep(ms);
      await Promise.all(admins.map((admin) => ageRedis(admin, 'holdfast', ms)));
      return sleep(NEWS_MS);
    },
    empty,
    keptForMs: async (circuit) => {
      const left = admins.map((admin) => admin.pTTL(`holdfast:{${circuit}}`));
      // A node that does not have the key says where it is, and that is an error.
      const replies = await Promise.allSettled(left);
      return Math.max(...replies.map((reply) => (reply.status === 'fulfilled' ? reply.value : 0)));
    },
    close: () => Promise.resolve(),
  };
}
