import { modelsWork } from '../world/probes.ts';
import type { Fault } from './fault.ts';

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
  hasRecovered: modelsWork,
};
