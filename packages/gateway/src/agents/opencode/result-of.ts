import type { JsonObject } from '@holdfast/core';
import type { AdvisedCall, ToolResult } from '@holdfast/core/advise';
import { textOf } from '../../proxy/json/json-fields.ts';
import { INVALID_TOOL } from './call-of.ts';

/** How a call ended, as the plugin tells it. */
export function resultOf(
  { tool }: AdvisedCall,
  payload: JsonObject,
  metadata: JsonObject,
): ToolResult {
  if (textOf(payload['event']) === 'tool.failed') {
    const error = textOf(payload['error']);
    const notRun = whyNotRun(error, metadata);
    return { tool, output: error, isError: true, ...(notRun !== undefined && { notRun }) };
  }
  const output = textOf(payload['output']);
  if (textOf(payload['tool']) === INVALID_TOOL)
    return { tool, output, isError: true, ...(UNKNOWN.test(output) && { notRun: 'unknown-tool' }) };
  const { exit } = metadata;
  if (typeof exit === 'number') return { tool, output, exitCode: exit };
  if (exit === null) return { tool, output, ...stopped(output) };
  // What throws is told as failed: what comes here was fine as far as opencode knows.
  return { tool, output, isError: payload['isError'] === true };
}

/** A command without an exit code was ended by opencode, which says why behind the output. */
function stopped(output: string): Partial<ToolResult> {
  const note = output.slice(output.lastIndexOf(NOTE) + NOTE.length).trimStart();
  return note.startsWith('User aborted')
    ? { notRun: 'cancelled' }
    : { failureClass: 'timeout', error: note.split('\n', 1)[0] };
}

const NOTE = '<shell_metadata>';

function whyNotRun(error: string, { interrupted }: JsonObject): ToolResult['notRun'] {
  if (interrupted === true || CANCELLED.has(error)) return 'cancelled';
  return DENIED.test(error) || STOPPED_BY_US.test(error) ? 'denied' : undefined;
}

/** A veto comes back as the error of the call. */
const STOPPED_BY_US = /^This .{1,200} call was not run: /;

/** How opencode 1.18 words it. */
const UNKNOWN =
  /^The arguments provided to the tool are invalid: Model tried to call unavailable tool/;
const CANCELLED: ReadonlySet<string> = new Set(['Tool execution aborted', 'Cancelled']);
const DENIED =
  /^The user (?:rejected permission|has specified a rule which prevents|dismissed this question)/;
