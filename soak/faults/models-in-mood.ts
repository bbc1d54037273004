import { WELL } from '../model/model-server.ts';
import type { Mood } from '../model/model-server.ts';
import { modelsWork } from '../world/probes.ts';
import type { Fault } from './fault.ts';

/** The model servers, all or one of them, treat a share of what they are asked in this way. */
export function modelsIn(kind: Mood['kind']): Omit<Fault, 'kind'> {
  return {
    target: 'models',
    minMs: 2000,
    maxMs: 5000,
    begin: async ({ world, dice }) => {
      const { alpha, beta, claude, resp } = world.models;
      const all = [alpha, beta, claude, resp] as const;
      const ill = dice.chance(0.5) ? all : [dice.pick(all)];
      const share = dice.between(0.3, 1);
      for (const server of ill) server.mood = { kind, share };
      return () => {
        for (const server of ill) server.mood = WELL;
      };
    },
    hits: ({ models }) =>
      Object.values(models).reduce((sum, server) => sum + server.brokenBy(kind), 0),
    hasRecovered: modelsWork,
  };
}
