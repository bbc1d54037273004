import { isEqualJson } from '../../internal/schema-equal.ts';
import type { ToolDefinition } from '../../types.ts';
import { createDefaultRegistry } from '../default-registry.ts';
import type { ParserRegistry } from '../parser-registry.ts';
import type { RenderableCall } from './render-dialect.ts';

/** Whether a text reads back as the calls it was written for, given the tools it will be read with. */
export function readsBack(
  text: string,
  calls: readonly RenderableCall[],
  format: string,
  tools: readonly ToolDefinition[],
): boolean {
  // A call of history may name a tool that is no longer offered; it is still written as that.
  const offered = new Set(tools.map(({ name }) => name));
  const others = new Set(calls.map(({ name }) => name).filter((name) => !offered.has(name)));
  registry ??= createDefaultRegistry({ limits: NO_LIMITS });
  const read = registry.parse(text, { tools: [...tools, ...[...others].map(asTool)], format });
  return (
    read.calls.length === calls.length &&
    calls.every(({ name, arguments: args }, at) => {
      const call = read.calls[at];
      return call?.name === name && isEqualJson(call.arguments, args);
    })
  );
}

const asTool = (name: string): ToolDefinition => ({ name });

/** What was just written is not hostile, and how long reading it takes must decide nothing. */
const NO_LIMITS = { maxCallBytes: Infinity, maxInputBytes: Infinity, timeoutMs: Infinity };
let registry: ParserRegistry | undefined;
