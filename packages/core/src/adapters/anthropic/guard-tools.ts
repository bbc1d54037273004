import { isRecord } from '../../advise/conversation/record.ts';
import type { ToolOutcome } from '../../call/tool-outcome.ts';
import { cloneWith } from '../guarding/clone-with.ts';
import { ToolGuard } from '../guarding/tool-guard.ts';
import { checkToolSettings } from '../guarding/tool-settings.ts';
import type { ToolGuardOptions } from '../guarding/tool-settings.ts';
import { valueOfOutcome } from '../guarding/value-of-outcome.ts';

type Run = (args: unknown, context?: unknown) => unknown;

interface RunnableTool {
  readonly name: string;
  readonly run: Run;
}

/**
 * The tools of `toolRunner` behind timeout, circuit and retry. What fails is thrown with a message for the
 * model, which the SDK hands on to it as an error: what happened, and what to do next.
 */
export function guardTools<Tools extends readonly object[]>(
  tools: Tools,
  options: ToolGuardOptions = {},
): Tools {
  checkToolSettings(
    options,
    tools.filter(isRunnable).map(({ name }) => name),
  );
  return guardSome(tools, options);
}

/** The same, with settings that may also be those of tools that are not there. */
export function guardSome<Tools extends readonly object[]>(
  tools: Tools,
  options: ToolGuardOptions,
): Tools {
  const names = tools.filter(isRunnable).map(({ name }) => ({ name }));
  const guard = new ToolGuard(names, options);
  const guarded = tools.map((tool) =>
    isRunnable(tool) ? cloneWith(tool, { run: guardedBy(guard, tool) }) : tool,
  );
  return guarded as readonly object[] as Tools;
}

const guardedBy =
  (guard: ToolGuard, tool: RunnableTool): Run =>
  async (args, context) => {
    const work = ({ signal }: { readonly signal: AbortSignal }): unknown =>
      tool.run(args, isRecord(context) ? { ...context, signal } : context);
    return contentOf(await guard.run(tool.name, args, work, signalOf(context)));
  };

function contentOf(outcome: ToolOutcome): unknown {
  const { advice } = outcome;
  const value = outcome.ok || 'value' in outcome ? outcome.value : undefined;
  if (advice !== undefined && Array.isArray(value))
    return [...(value as readonly unknown[]), { type: 'text', text: advice.text }];
  // An error with content of its own, which may be more than a text.
  const cause = outcome.ok ? undefined : outcome.failure.cause;
  if (cause instanceof Error && 'content' in cause) throw cause;
  return valueOfOutcome(outcome);
}

function isRunnable(tool: object): tool is RunnableTool {
  return 'run' in tool && typeof tool.run === 'function' && 'name' in tool;
}

function signalOf(context: unknown): AbortSignal | undefined {
  const signal = isRecord(context) ? context['signal'] : undefined;
  return signal instanceof AbortSignal ? signal : undefined;
}
