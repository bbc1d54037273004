import { actAsAgent } from '../clients/agent.ts';
import { Traffic } from '../clients/traffic.ts';
import { Dice } from '../dice.ts';
import { checkEndsCleanly } from '../invariants/ends-cleanly.ts';
import type { Sample } from '../invariants/flat.ts';
import type { Violations } from '../invariants/violations.ts';
import type { CallsMade } from '../report/calls-outcome.ts';
import { settle } from '../settle.ts';
import { startWorld } from '../world/world.ts';
import type { World } from '../world/world.ts';

export interface ThroughGatewayOptions {
  /** It ends when so many were made, or the time is up. */
  readonly calls: number;
  readonly minutes: number;
  readonly seed: number;
  readonly violations: Violations;
  readonly print: (line: string) => void;
}

const AGENTS = 12;
const STRETCHES = 13;

/** Agents ask models and call tools through the gateway as fast as it goes, with no faults. */
export async function runThroughGateway(options: ThroughGatewayOptions): Promise<CallsMade> {
  const { calls, minutes, seed, violations, print } = options;
  const startedAt = performance.now();
  const world = await startWorld(seed, violations);
  const { tally, effects } = world;
  const made = (): number => tally.calls.ok + tally.calls.failed + tally.calls.refused;
  const samples: Sample[] = [];
  try {
    const traffic = new Traffic(world);
    for (let stretch = 0; stretch < STRETCHES && made() < calls; stretch++) {
      const until = performance.now() + (minutes * 60_000) / STRETCHES;
      const isOver = (): boolean => performance.now() >= until || made() >= calls;
      await Promise.all(
        Array.from({ length: AGENTS }, (_, agent) =>
          agentLoop(world, `s${stretch}-${agent}`, isOver),
        ),
      );
      samples.push(await settle(world, traffic));
      effects.forget();
      const { heapBytes, openFiles, resources } = samples.at(-1) ?? {};
      const mb = ((heapBytes ?? 0) / 1024 / 1024).toFixed(1);
      print(
        `${made()} calls through the gateway, heap ${mb} MB, ${String(openFiles)} files, ${String(resources)} handles`,
      );
    }
    await checkEndsCleanly(world, world.ledger.pids);
  } finally {
    await world.close();
  }
  const { ok, failed, refused } = tally.calls;
  return {
    calls: made(),
    turns: tally.turns.succeeded + tally.turns.failed + tally.turns.refused,
    ok,
    failed,
    refused,
    seconds: Math.round((performance.now() - startedAt) / 1000),
    samples,
  };
}

async function agentLoop(world: World, name: string, isOver: () => boolean): Promise<void> {
  const dice = new Dice(world.seed, name);
  const { turnWithinMs: withinMs } = world;
  for (let round = 0; !isOver(); round++) {
    await actAsAgent(world, dice, `${name}-${round}`, { withinMs, isQuick: true });
  }
}
