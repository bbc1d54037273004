import type { JsonObject } from '@holdfast/core';
import type { World } from '../world/world.ts';
import type { LegacyMcpClient } from './legacy-mcp-client.ts';
import type { ToldCall } from './mcp-message.ts';
import type { CallOptions, ModernMcpClient } from './modern-mcp-client.ts';

/** A call with an effect of its own. */
export interface ToolUse {
  /** Of the effect. */
  readonly id: string;
  /** As the gateway shows it: `till__pay`. */
  readonly name: string;
  readonly args: JsonObject;
}

/** Calls a tool and keeps the books. Undefined where there was no answer. */
export async function callTool(
  { effects, tally, violations, callWithinMs }: World,
  client: ModernMcpClient | LegacyMcpClient,
  { id, name, args }: ToolUse,
  options: Partial<CallOptions> = {},
): Promise<ToldCall | undefined> {
  effects.begin(id, name.slice(name.indexOf('__') + 2));
  try {
    const told = await client.callTool(name, args, { withinMs: callWithinMs, ...options });
    if (told === undefined) return undefined;
    tally.call(told);
    effects.told(id, told);
    return told;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    violations.check('answered', false, () => `MCP ${name} ${id}: ${why}`);
    return undefined;
  }
}
