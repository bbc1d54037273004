import { toolsWork } from '../world/probes.ts';
import type { Fault } from './fault.ts';
import { letGoOn, signalToolServer } from './signal-tool-server.ts';

/** A tool server stands still, and then does all that it was asked meanwhile. */
export const childHangs: Fault = {
  kind: 'child-hangs',
  target: 'tools',
  minMs: 1000,
  maxMs: 5000,
  begin: async ({ world, dice }) => {
    const pid = signalToolServer(world, dice.pick(['till', 'shelf']), 'SIGSTOP');
    return () => {
      if (pid !== undefined) letGoOn(pid);
    };
  },
  hits: ({ tally }) => tally.signalled,
  hasRecovered: toolsWork,
};
