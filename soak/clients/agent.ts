import type { Protocol } from '../../test/support/scripted-model.ts';
import type { Dice } from '../dice.ts';
import { checkCallsComplete } from '../invariants/calls-complete.ts';
import { checkTextConserved } from '../invariants/text-conserved.ts';
import { writeTurn } from '../model/turn-script.ts';
import type { TurnShape } from '../model/turn-script.ts';
import type { Turn } from '../model/turn.ts';
import type { World } from '../world/world.ts';
import { askTurn } from './ask-turn.ts';
import type { CalledBefore, ToldTurn, TurnRequest } from './ask-turn.ts';
import { callTool } from './call-tool.ts';

/** How an agent asks. */
export interface AgentWay {
  readonly withinMs: number;
  /** It goes away in the middle of the answer. */
  readonly goesAfter?: number;
  readonly readPauseMs?: number;
  /** The model takes no time. */
  readonly isQuick?: boolean;
}

const MODELS: Readonly<Record<Protocol, readonly [string, ...string[]]>> = {
  chat: ['alpha-1', 'alpha-2', 'beta-1'],
  messages: ['alpha-1', 'beta-1', 'claude-1', 'claude-2'],
  responses: ['alpha-1', 'beta-1', 'resp-1', 'resp-2'],
};

/** One round of an agent: it asks a model, runs the calls it is told through MCP, and tells the model of them. */
export async function actAsAgent(
  world: World,
  dice: Dice,
  id: string,
  { isQuick = false, ...way }: AgentWay,
): Promise<void> {
  const protocol = dice.pick(['chat', 'chat', 'messages', 'responses']);
  const model = dice.pick(MODELS[protocol]);
  const isStream = dice.chance(0.75);
  const told = await askAndJudge(world, { id, protocol, model, isStream, ...way }, { isQuick });
  if (told === undefined || told.calls.length === 0) return;
  const results: CalledBefore[] = [];
  for (const { name, arguments: args } of told.calls) {
    const effect = typeof args['id'] === 'string' ? args['id'] : '';
    const result = await callTool(world, world.modern, { id: effect, name, args });
    results.push({ name, arguments: args, result: result?.text ?? 'Error: no answer' });
  }
  if (dice.chance(0.5)) return;
  const last = { id: `${id}b`, protocol, model, isStream, results, ...way };
  await askAndJudge(world, last, { mostCalls: 0, isQuick });
}

/** Asks for a turn, and holds what is told against what the model said. Undefined where there was no answer. */
export async function askAndJudge(
  world: World,
  request: TurnRequest,
  shape: TurnShape = {},
): Promise<ToldTurn | undefined> {
  const { door, turns, violations, seed, tally } = world;
  const turn: Turn = turns.begin(writeTurn(seed, request.id, shape));
  try {
    const told = await askTurn(door, request);
    if (told === undefined) return undefined;
    tally.turn(told);
    checkCallsComplete(turn, told, violations);
    checkTextConserved(turn, told, violations);
    return told;
  } catch (error) {
    // Nothing is tolerated by those who read: what is no answer of the protocol throws.
    const why = error instanceof Error ? error.message : String(error);
    violations.check('answered', false, () => `turn ${request.id} (${request.protocol}): ${why}`);
    return undefined;
  } finally {
    turns.end(turn);
  }
}
