import type { JsonObject, JsonValue } from '@holdfast/core';
import type { ToolResult } from '@holdfast/core/advise';
import { listOf, objectOf, textOf } from '../../proxy/json/json-fields.ts';

/** The tools that write `Exit code N` before the output of a command that failed. */
const SHELLS: ReadonlySet<string> = new Set(['Bash', 'PowerShell']);

/** How a call ended that PostToolUseFailure tells of. */
export function readFailure(payload: JsonObject): ToolResult {
  const tool = textOf(payload['tool_name']);
  const error = textOf(payload['error']);
  if (payload['is_interrupt'] === true) return { tool, output: error, notRun: 'cancelled' };
  const took = payload['duration_ms'];
  const durationMs = typeof took === 'number' && took >= 0 ? took : undefined;
  const ended = SHELLS.has(tool) ? /^Exit code (\d{1,3})(?:\n|$)/.exec(error) : null;
  return {
    tool,
    isError: true,
    output: ended === null ? error : error.slice(ended[0].length),
    ...(ended !== null && { exitCode: Number(ended[1]) }),
    ...(durationMs !== undefined && { durationMs }),
  };
}

/**
 * How a call ended, by what PostToolBatch shows of it: what the model is sent, without a flag. One that ran and
 * failed was told of before, so what is left has worked, or was refused in words that only Claude Code writes.
 */
export function readBatchResult(tool: string, response: JsonValue | undefined): ToolResult {
  const output = outputOf(response);
  if (DENIED.test(output)) return { tool, output, notRun: 'denied' };
  const refused = refusalIn(output);
  if (refused === undefined) return { tool, output, isError: false };
  if (/^(?:Error: )?No such tool available: /.test(refused)) {
    return { tool, output: refused, notRun: 'unknown-tool' };
  }
  if (CANCELLED.test(refused)) return { tool, output: refused, notRun: 'cancelled' };
  return { tool, output: refused, isError: true };
}

/** A rule, a hook, the user or the lack of one said no. */
const DENIED =
  /^(?:Permission to .{1,4000} has been denied\.|Permission for this (?:action|tool use) (?:was|has been) denied|Claude requested permissions to |The user doesn't want to (?:proceed|take)|PreToolUse:\S{1,200} hook error: |This tool call was refused and did not run)/s;

/** Another call of the same answer failed, or the user wanted no more of it. */
const CANCELLED = /^(?:Sibling tool call errored|Cancelled: parallel tool call)/;

const [OPENING, CLOSING] = ['<tool_use_error>', '</tool_use_error>'];

/** What Claude Code says of a call that it did not let through to the tool. */
function refusalIn(output: string): string | undefined {
  if (!output.startsWith(OPENING)) return undefined;
  const end = output.lastIndexOf(CLOSING);
  return output.slice(OPENING.length, end < 0 ? undefined : end);
}

/** A text, or blocks of which some are text. */
function outputOf(response: JsonValue | undefined): string {
  if (typeof response === 'string') return response;
  const texts = listOf(response).map((block) => textOf(objectOf(block)['text']));
  return texts.filter((text) => text !== '').join('\n');
}
