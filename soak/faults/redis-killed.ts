import { metric, storeWorks } from '../world/probes.ts';
import { REDIS_RECOVERS_WITHIN_MS } from './fault.ts';
import type { Fault } from './fault.ts';

/** Redis is killed, and started again with nothing in it. */
export const redisKilled: Fault = {
  kind: 'redis-killed',
  target: 'redis',
  minMs: 500,
  maxMs: 4000,
  recoversWithinMs: REDIS_RECOVERS_WITHIN_MS,
  whyNot: ({ redis }) => (redis === undefined ? 'there is no redis-server here' : undefined),
  begin: async ({ world: { redis } }) => {
    await redis?.kill();
    return () => redis?.restart();
  },
  hits: (world) => metric(world, 'holdfast_store_losses_total'),
  hasRecovered: storeWorks,
};
