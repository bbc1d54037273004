import { InvalidOptionError } from '../errors.ts';
import type { RunOptions } from '../guard/executor.ts';
import type { JsonObject } from '../types.ts';
import type { RunnableTool, Tool, TypedTool } from './tool.ts';
import type { ToolOutcome } from './tool-outcome.ts';
import { ToolRunner } from './tool-runner.ts';
import type { ToolRunnerOptions } from './tool-runner.ts';

/** A tool behind timeout, circuit and retry. */
export interface GuardedTool {
  readonly tool: Tool;
  /** Runs it with arguments that need not come from a model. Never throws because of them or the tool. */
  run(args: JsonObject, options?: RunOptions): Promise<ToolOutcome>;
}

/** Guards one tool; for several, `createToolRunner`. */
export function guardTool<Schema>(
  given: TypedTool<Schema>,
  options?: Omit<ToolRunnerOptions, 'tools'>,
): GuardedTool;
export function guardTool(
  given: RunnableTool,
  options?: Omit<ToolRunnerOptions, 'tools'>,
): GuardedTool;
export function guardTool(
  given: RunnableTool,
  options: Omit<ToolRunnerOptions, 'tools'> = {},
): GuardedTool {
  const runner = new ToolRunner({ ...options, tools: [given] });
  const [tool] = runner.tools;
  if (tool === undefined) throw new InvalidOptionError('tool', 'a tool with a name', given);
  return {
    tool,
    run: (args, runOptions = {}) =>
      runner.run({ name: tool.name, arguments: args, format: 'code' }, runOptions),
  };
}
