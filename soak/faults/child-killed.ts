import { toolsWork } from '../world/probes.ts';
import { NOTHING } from './fault.ts';
import type { Fault } from './fault.ts';
import { signalToolServer } from './signal-tool-server.ts';

/** A tool server is killed, whatever it is doing. */
export const childKilled: Fault = {
  kind: 'child-killed',
  target: 'tools',
  minMs: 0,
  maxMs: 0,
  begin: async ({ world, dice }) => {
    const servers = dice.chance(0.3)
      ? (['till', 'shelf', 'desk'] as const)
      : [dice.pick(['till', 'shelf'])];
    for (const server of servers) signalToolServer(world, server, 'SIGKILL');
    return NOTHING;
  },
  hits: ({ tally }) => tally.signalled,
  hasRecovered: toolsWork,
};
