import type { ToolResult } from '@holdfast/core/advise';
import type { Failure } from '@holdfast/core/guard';
import { listOf, objectOf, textOf } from '../../proxy/json/json-fields.ts';
import type { CallResult } from '../messages.ts';
import type { CallOutcome } from './call-run.ts';

/** More of a result says nothing more about how the call went. */
const MOST_OUTPUT = 4096;

/** How a call ended, as the advisor has to know it. */
export function describeEnd(tool: string, outcome: CallOutcome): ToolResult {
  if ('inputRequired' in outcome) return { tool, notRun: 'cancelled' };
  const { failure } = outcome;
  if (failure !== undefined) return { tool, ...describeFailure(failure) };
  if ('error' in outcome) return { tool, notRun: 'cancelled' };
  return { tool, isError: false, output: outputOf(outcome.result) };
}

/** A failure, as the advisor has to know it. */
export function describeFailure({
  class: failureClass,
  message,
  status,
}: Failure): Partial<ToolResult> {
  const about = status === undefined ? {} : { status };
  return { isError: true, output: message, failureClass, ...about };
}

/** The beginning of what the model gets to read. */
function outputOf({ content }: CallResult): string {
  let output = '';
  for (const block of listOf(content)) {
    const text = textOf(objectOf(block)['text']);
    output = output === '' ? text : `${output}\n${text}`;
    if (output.length > MOST_OUTPUT) return output.slice(0, MOST_OUTPUT);
  }
  return output;
}
