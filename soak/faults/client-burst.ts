import { gatewayWorks } from '../world/probes.ts';
import { NOTHING } from './fault.ts';
import type { Fault } from './fault.ts';

const CLIENTS = 1000;

/** A thousand clients come at once. */
export const clientBurst: Fault = {
  kind: 'client-burst',
  target: 'clients',
  minMs: 0,
  maxMs: 0,
  begin: async ({ traffic }) => {
    await traffic.burst(CLIENTS);
    return NOTHING;
  },
  hasRecovered: gatewayWorks,
};
