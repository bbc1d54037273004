import { historyWorks } from '../world/probes.ts';
import type { Fault } from './fault.ts';

/** There is no room left where history is written. */
export const diskFull: Fault = {
  kind: 'disk-full',
  target: 'disk',
  minMs: 2000,
  maxMs: 5000,
  whyNot: ({ disk }) => disk.whyNot,
  begin: async ({ world: { disk, gateway } }) => {
    disk.fill(gateway.pid);
    return () => disk.empty(gateway.pid);
  },
  hits: ({ gateway: { log } }) => log.countOf('history cannot be written'),
  hasRecovered: historyWorks,
};
