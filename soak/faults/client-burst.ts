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
  hinders: true,
  begin: async ({ world: { door, tally }, traffic }) => {
    const gone = traffic.burst(CLIENTS);
    tally.atOnce += door.open;
    await gone;
    return NOTHING;
  },
  hits: ({ tally }) => tally.atOnce,
  hasRecovered: gatewayWorks,
};
