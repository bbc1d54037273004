import { actAsAgent } from '../clients/agent.ts';
import { callTool } from '../clients/call-tool.ts';
import { Traffic } from '../clients/traffic.ts';
import { Dice } from '../dice.ts';
import { checkEndsCleanly } from '../invariants/ends-cleanly.ts';
import type { Sample } from '../invariants/flat.ts';
import type { Violations } from '../invariants/violations.ts';
import type { CallsMade } from '../report/calls-outcome.ts';
import { settle } from '../settle.ts';
import { startWorld } from '../world/world.ts';
import type { World } from '../world/world.ts';
import { fillMemory } from '../clients/fill-memory.ts';

export interface ThroughGatewayOptions {
  /** It ends when the gateway was called so often, by turns of models and calls of tools. */
  readonly calls: number;
  /** Or when the time is up; undefined for as long as it takes. */
  readonly minutes: number | undefined;
  readonly seed: number;
  readonly violations: Violations;
  readonly print: (line: string) => void;
}

/** Enough at once that the gateway never waits for a client. A turn costs it many times what a tool call does. */
const AGENTS = 12;
const TOOL_USERS = 24;
const STRETCHES = 19;

/** Agents ask models and call tools, and others call tools alone, through the gateway as fast as it goes, with no faults. */
export async function runThroughGateway(options: ThroughGatewayOptions): Promise<CallsMade> {
  const { calls, minutes = Infinity, seed, violations, print } = options;
  const startedAt = performance.now();
  const world = await startWorld(seed, violations);
  const { tally, effects } = world;
  const turns = (): number => tally.turns.succeeded + tally.turns.failed + tally.turns.refused;
  const toolCalls = (): number => tally.calls.ok + tally.calls.failed + tally.calls.refused;
  const made = (): number => turns() + toolCalls();
  const samples: Sample[] = [];
  try {
    const traffic = new Traffic(world);
    await fillMemory(world);
    for (let stretch = 0; stretch < STRETCHES; stretch++) {
      const until = performance.now() + (minutes * 60_000) / STRETCHES;
      const enough = (calls * (stretch + 1)) / STRETCHES;
      const isOver = (): boolean => performance.now() >= until || made() >= enough;
      await Promise.all([
        ...loops(AGENTS, (agent) => agentLoop(world, `s${stretch}-${agent}`, isOver)),
        ...loops(TOOL_USERS, (user) => toolLoop(world, `t${stretch}-${user}`, isOver)),
      ]);
      samples.push(await settle(world, traffic));
      effects.forget();
      print(stretchLine(turns(), toolCalls(), samples.at(-1)));
    }
    await checkEndsCleanly(world, world.ledger.pids);
  } finally {
    await world.close();
  }
  const { ok, failed, refused } = tally.calls;
  return {
    calls: toolCalls(),
    turns: turns(),
    ok,
    failed,
    refused,
    seconds: Math.round((performance.now() - startedAt) / 1000),
    samples,
  };
}

const loops = (count: number, run: (index: number) => Promise<void>): readonly Promise<void>[] =>
  Array.from({ length: count }, (_, index) => run(index));

async function agentLoop(world: World, name: string, isOver: () => boolean): Promise<void> {
  const dice = new Dice(world.seed, name);
  const { turnWithinMs: withinMs } = world;
  for (let round = 0; !isOver(); round++) {
    await actAsAgent(world, dice, `${name}-${round}`, { withinMs, isQuick: true });
  }
}

async function toolLoop(world: World, name: string, isOver: () => boolean): Promise<void> {
  const dice = new Dice(world.seed, name);
  for (let round = 0; !isOver(); round++) {
    const id = `${name}-${round}`;
    const tool = dice.pick(['till__pay', 'till__look', 'shelf__pay', 'shelf__look']);
    await callTool(world, world.modern, { id, name: tool, args: { id } });
  }
}

function stretchLine(turns: number, toolCalls: number, sample: Sample | undefined): string {
  const { heapBytes = 0, rssBytes = 0, openFiles, resources } = sample ?? {};
  const mb = (bytes: number): string => (bytes / 1024 / 1024).toFixed(1);
  return [
    `${turns} turns and ${toolCalls} tool calls through the gateway,`,
    `heap ${mb(heapBytes)} MB of ${mb(rssBytes)} MB,`,
    `${String(openFiles)} files, ${String(resources)} handles`,
  ].join(' ');
}
