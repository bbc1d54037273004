import { gatewayWorks } from '../world/probes.ts';
import { NOTHING } from './fault.ts';
import type { Fault } from './fault.ts';

/** The event loop of the gateway stands still for 200 to 2000 ms, up to three times. */
export const loopStalls: Fault = {
  kind: 'loop-stalls',
  target: 'loop',
  minMs: 0,
  maxMs: 0,
  hinders: true,
  begin: async ({ world: { gateway, tally }, dice }) => {
    const times = dice.whole(1, 3);
    for (let time = 0; time < times; time++) {
      await gateway.stall(dice.between(200, 2000));
      tally.stalls++;
    }
    return NOTHING;
  },
  hits: ({ tally }) => tally.stalls,
  hasRecovered: gatewayWorks,
};
