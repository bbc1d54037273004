import { InvalidOptionError } from '../../errors.ts';
import { cloneWith } from '../guarding/clone-with.ts';
import { ToolFailedError } from '../guarding/tool-failed-error.ts';
import { ToolGuard } from '../guarding/tool-guard.ts';
import { checkToolSettings } from '../guarding/tool-settings.ts';
import type { ToolGuardOptions } from '../guarding/tool-settings.ts';
import { answerOf, invokeGuarded, isInvokable } from './invokable-tool.ts';

/** A tool of LangChain: of `tool()`, a class, or a runnable as a tool. */
export interface LangChainTool {
  readonly name: string;
  readonly invoke: (...args: never[]) => unknown;
}

/**
 * Tools for a `ToolNode` or an agent, behind timeout, circuit and retry. What fails is thrown with a message for
 * the model, which the node hands on to it: what happened, and what to do next.
 */
export function guardTools<const Tools extends readonly LangChainTool[]>(
  tools: Tools,
  options: ToolGuardOptions = {},
): { [At in keyof Tools]: Tools[At] } {
  for (const [at, tool] of tools.entries())
    if (!isInvokable(tool))
      throw new InvalidOptionError(
        `guardTools: tools[${at}]`,
        'a tool with a name and invoke',
        tool,
      );
  const names = tools.map(({ name }) => name);
  checkToolSettings(options, names);
  const guard = new ToolGuard(
    names.map((name) => ({ name })),
    options,
  );
  const guarded = tools.map((tool) => {
    const invoke = async (input: unknown, config: unknown): Promise<unknown> => {
      const outcome = await invokeGuarded(guard, tool.name, tool, [input, config]);
      if (outcome.ok || 'value' in outcome) return answerOf(outcome);
      throw outcome.failure.class === 'cancelled'
        ? outcome.failure.cause
        : new ToolFailedError(outcome);
    };
    return cloneWith(tool, { invoke });
  });
  return guarded as { [At in keyof Tools]: Tools[At] };
}
