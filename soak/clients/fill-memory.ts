import { askAndJudge } from './agent.ts';
import type { World } from '../world/world.ts';

/** Together more than the characters of answers that the gateway remembers for those who name them by their ids. */
const TURNS = 44;
const CHARACTERS = 400_000;

/** Fills what the gateway may remember, so that memory is compared from its largest on, and not while it fills. */
export async function fillMemory(world: World): Promise<void> {
  const { turnWithinMs: withinMs } = world;
  for (let turn = 0; turn < TURNS; turn++) {
    // A server that speaks another protocol: each item has an id of the gateway's own.
    const asked = { id: `f${turn}`, protocol: 'responses', model: 'beta-1', withinMs } as const;
    const shape = { mostCalls: 0, isQuick: true, textCharacters: CHARACTERS };
    await askAndJudge(world, { ...asked, isStream: false }, shape);
  }
}
