import { storeWorks } from '../world/probes.ts';
import type { Fault } from './fault.ts';

/** Redis is killed, and started again with nothing in it. */
export const redisKilled: Fault = {
  kind: 'redis-killed',
  target: 'redis',
  minMs: 500,
  maxMs: 4000,
  whyNot: ({ redis }) => (redis === undefined ? 'there is no redis-server here' : undefined),
  begin: async ({ world: { redis } }) => {
    await redis?.kill();
    return () => redis?.restart();
  },
  hasRecovered: storeWorks,
};
