import type { JsonObject } from '@holdfast/core';
import type { Dice } from '../dice.ts';
import type { World } from '../world/world.ts';
import { callTool } from './call-tool.ts';
import type { LegacyMcpClient } from './legacy-mcp-client.ts';

const TOOLS = ['pay', 'pay', 'pay', 'look', 'look', 'count', 'fail'] as const;

/** Calls some tool without a model. */
export async function actAsToolUser(world: World, dice: Dice, id: string): Promise<void> {
  const { name, args, tool } = drawCall(dice, id, dice.pick(['till', 'shelf']));
  await callTool(
    world,
    world.modern,
    { id, name, args },
    {
      hasProgress: tool === 'count',
      ...(dice.chance(0.05) && { goesAfter: 0 }),
    },
  );
}

/** The same in a session, whose server is started for it alone. A client does one thing at a time. */
export async function actInSession(
  world: World,
  client: LegacyMcpClient,
  dice: Dice,
  id: string,
): Promise<void> {
  const { name, args, tool } = drawCall(dice, id, dice.pick(['desk', 'desk', 'till']));
  await callTool(world, client, { id, name, args }, { hasProgress: tool === 'count' });
  if (dice.chance(0.1)) await client.end(world.callWithinMs);
}

function drawCall(
  dice: Dice,
  id: string,
  server: string,
): { readonly name: string; readonly args: JsonObject; readonly tool: string } {
  const tool = dice.chance(0.01) ? 'hang' : dice.pick(TOOLS);
  const ms = dice.whole(0, 80);
  // Now and then it ends between its effect and its answer, which is the worst moment, or right behind it.
  const end = dice.chance(0.02) ? { end: dice.pick(['before', 'behind']) } : {};
  return { name: `${server}__${tool}`, args: { id, ms, ...end }, tool };
}
