import { isRecord } from '../../advise/conversation/record.ts';
import { InvalidOptionError } from '../../errors.ts';
import { callFunction, isFunction } from '../guarding/call-function.ts';
import { cloneWith } from '../guarding/clone-with.ts';
import { ToolGuard } from '../guarding/tool-guard.ts';
import { checkToolSettings } from '../guarding/tool-settings.ts';
import type { ToolGuardOptions } from '../guarding/tool-settings.ts';
import { valueOfOutcome } from '../guarding/value-of-outcome.ts';
import { Bubble } from './bubble.ts';
import { FailedMessage } from './failed-message.ts';
import { argumentsOf, signalOf, withSignal } from './tool-input.ts';

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
    if (!isRecord(tool) || !isFunction(tool.invoke))
      throw new InvalidOptionError(
        `guardTools: tools[${at}]`,
        'a tool with a name and invoke',
        tool,
      );
  const names = tools.map(({ name }) => ({ name }));
  checkToolSettings(
    options,
    names.map(({ name }) => name),
  );
  const guard = new ToolGuard(names, options);
  const guarded = tools.map((tool) => {
    const { name } = tool;
    const invoke = async (input: unknown, config: unknown): Promise<unknown> => {
      const outcome = await guard.run(
        name,
        argumentsOf(input),
        (context) =>
          Bubble.catch(async () => {
            const given = [input, withSignal(config, context)];
            return FailedMessage.from(await callFunction(tool.invoke, tool, given));
          }),
        signalOf(config),
      );
      return FailedMessage.release(Bubble.release(valueOfOutcome(outcome)));
    };
    return cloneWith(tool, { invoke });
  });
  return guarded as { [At in keyof Tools]: Tools[At] };
}
