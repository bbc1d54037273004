import type { ToolResult } from '../classification.ts';
import type { ResultStep } from './conversation-step.ts';
import { cutOwnAdvice, isOwnVeto } from './own-advice.ts';

/** What a message tells of how a call went, without what we have added to it. */
export function toolResult(tool: string, { output, isError, exitCode }: ResultStep): ToolResult {
  return {
    tool,
    output: cutOwnAdvice(output),
    ...(isError !== undefined && { isError }),
    ...(exitCode !== undefined && { exitCode }),
    ...(isOwnVeto(output) && { notRun: 'denied' }),
  };
}
