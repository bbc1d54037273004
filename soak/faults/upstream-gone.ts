import { metric, modelsWork } from '../world/probes.ts';
import type { Fault } from './fault.ts';

const hasFailed = (line: string): boolean => !line.includes('outcome="ok"');

/** A model server ends with all its connections, and comes back on the same port. */
export const upstreamGone: Fault = {
  kind: 'upstream-gone',
  target: 'models',
  minMs: 1000,
  maxMs: 4000,
  begin: async ({ world, dice }) => {
    const { alpha, beta, claude, resp } = world.models;
    const server = dice.pick([alpha, beta, claude, resp]);
    await server.goDown();
    return () => server.comeUp();
  },
  hits: (world) => metric(world, 'holdfast_upstream_attempts_total', hasFailed),
  hasRecovered: modelsWork,
};
