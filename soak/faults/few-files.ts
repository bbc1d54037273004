import { gatewayWorks } from '../world/probes.ts';
import { getLimit, setLimit, whyNoLimits } from '../world/set-limit.ts';
import type { Fault } from './fault.ts';

const CLIENTS = 120;

/** The gateway may open hardly any more files, connections among them, while clients come. */
export const fewFiles: Fault = {
  kind: 'few-files',
  target: 'files',
  minMs: 1500,
  maxMs: 3000,
  hinders: true,
  whyNot: ({ gateway }) =>
    whyNoLimits() ??
    (gateway.openFiles() === undefined ? 'the system does not tell open files' : undefined),
  begin: async ({ world, traffic, dice }) => {
    const { gateway, cramped } = world;
    const before = getLimit(gateway.pid, 'nofile');
    cramped.open();
    setLimit(gateway.pid, 'nofile', String((gateway.openFiles() ?? 0) + dice.whole(2, 40)));
    void traffic.burst(CLIENTS);
    return () => {
      setLimit(gateway.pid, 'nofile', before);
      cramped.close();
    };
  },
  hits: ({ door }) => door.turnedAway,
  hasRecovered: gatewayWorks,
};
