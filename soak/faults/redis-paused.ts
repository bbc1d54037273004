import { metric, storeWorks } from '../world/probes.ts';
import { REDIS_RECOVERS_WITHIN_MS } from './fault.ts';
import type { Fault } from './fault.ts';

/** Redis stands still: it takes what is sent to it, and answers nothing. */
export const redisPaused: Fault = {
  kind: 'redis-paused',
  target: 'redis',
  minMs: 1000,
  maxMs: 6000,
  recoversWithinMs: REDIS_RECOVERS_WITHIN_MS,
  whyNot: ({ redis }) => (redis === undefined ? 'there is no redis-server here' : undefined),
  begin: async ({ world: { redis } }) => {
    redis?.pause();
    return () => redis?.resume();
  },
  hits: (world) => metric(world, 'holdfast_store_losses_total'),
  hasRecovered: storeWorks,
};
