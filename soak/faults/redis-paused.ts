import { storeWorks } from '../world/probes.ts';
import type { Fault } from './fault.ts';

/** Redis stands still: it takes what is sent to it, and answers nothing. */
export const redisPaused: Fault = {
  kind: 'redis-paused',
  target: 'redis',
  minMs: 1000,
  maxMs: 6000,
  whyNot: ({ redis }) => (redis === undefined ? 'there is no redis-server here' : undefined),
  begin: async ({ world: { redis } }) => {
    redis?.pause();
    return () => redis?.resume();
  },
  hasRecovered: storeWorks,
};
