import type { ToolResult } from '../classification.ts';
import type { ResultStep } from './conversation-step.ts';
import { isOwnVeto, splitAdvice, withoutLookAlikes } from './own-advice.ts';
import type { IsOwnAdvice } from './own-advice.ts';

/** What a message tells of how a call went, without what we have added to it. */
export function toolResult(
  tool: string,
  { id, output, isError, exitCode }: ResultStep,
  isOwn: IsOwnAdvice = () => true,
): ToolResult {
  const { said, advice } = splitAdvice(output);
  return {
    tool,
    output: withoutLookAlikes(advice === undefined || isOwn(advice, id) ? said : output),
    ...(isError !== undefined && { isError }),
    ...(exitCode !== undefined && { exitCode }),
    ...(isOwnVeto(output) && isOwn(output, id) && { notRun: 'denied' }),
  };
}
