import type { JsonObject, JsonValue } from '@holdfast/core';
import type { AdvisedCall, ToolResult } from '@holdfast/core/advise';
import { isObject, listOf, objectOf, textOf } from '../../proxy/json/json-fields.ts';
import type { HookEvent } from '../hook/hook-host.ts';
import { exitCodeIn, textIn } from './codex-response.ts';
import { PATCH_TOOL, SCRIPT_TOOL, SHELL_NAMES, SHELL_TOOL, WAITING_TOOLS } from './codex-tools.ts';

export type EndedCall = Extract<HookEvent, { readonly kind: 'after' }>;

/** Of older calls nothing new comes to light. */
const MOST_CALLS = 32;

/**
 * The calls that ended in the turn that is running, oldest first, as the lines of a rollout tell them. Calls whose
 * end is not told, or that still run, are not among them: nobody knows whether they failed.
 */
export function readEndedCalls(lines: readonly JsonObject[]): readonly EndedCall[] {
  const calls = new Map<string, AdvisedCall>();
  const ended = new Map<string, EndedCall>();
  let isAfterFailedScript = false;
  const end = (call: AdvisedCall, result: Omit<ToolResult, 'tool'> | undefined): void => {
    const { id = '', tool } = call;
    // What is told first is told of the call itself; what the model is sent comes later, and is cut.
    if (result === undefined || id === '' || ended.has(id)) return;
    ended.set(id, { kind: 'after', call, result: { tool, ...result } });
  };
  for (const line of lines) {
    const payload = objectOf(line['payload']);
    const type = textOf(payload['type']);
    if (type === 'task_started') {
      calls.clear();
      ended.clear();
    } else if (type === 'item_completed') {
      const item = objectOf(payload['item']);
      const call = callOfItem(item, calls.get(textOf(item['id'])));
      if (call !== undefined) end(call, resultOfItem(item));
    } else if (type === 'function_call' || type === 'custom_tool_call') {
      const call = callOf(payload);
      calls.set(call.id ?? '', call);
    } else if (type === 'function_call_output' || type === 'custom_tool_call_output') {
      const call = calls.get(textOf(payload['call_id']));
      if (call === undefined) continue;
      const result = resultOfOutput(call.tool, textIn(payload['output']));
      if (call.tool !== SCRIPT_TOOL) {
        end(call, result);
      } else if (result !== undefined) {
        // What a script did is told by the calls that it made. That it came to its end only says that scripts no
        // longer fail; said of every script, it would look as if each had changed something.
        if (result.isError === true || isAfterFailedScript) end(call, result);
        isAfterFailedScript = result.isError === true;
      }
    }
  }
  return [...ended.values()].slice(-MOST_CALLS);
}

/** A call as its hooks are told it. */
function callOf(payload: JsonObject): AdvisedCall {
  const id = textOf(payload['call_id']);
  const name = textOf(payload['name']);
  const space = textOf(payload['namespace']);
  const input = payload['input'];
  if (typeof input === 'string') {
    return { id, tool: name, arguments: { [name === SCRIPT_TOOL ? 'code' : 'command']: input } };
  }
  const args = parsed(textOf(payload['arguments']));
  if (SHELL_NAMES.has(name)) return { id, tool: SHELL_TOOL, ...commandOf(args) };
  const tool = space === '' ? name : `${space}__${name}`;
  return { id, tool, ...(args !== undefined && { arguments: args }) };
}

/** Hooks are told the command and nothing else. Where there is none, the call was refused for that. */
function commandOf(args: JsonObject | undefined): { readonly arguments?: JsonObject } {
  const command = args?.['cmd'] ?? args?.['command'];
  if (typeof command === 'string') return { arguments: { command } };
  return args === undefined ? {} : { arguments: args };
}

/** A call that a script made stands nowhere but in its item. */
function callOfItem(item: JsonObject, known: AdvisedCall | undefined): AdvisedCall | undefined {
  const id = textOf(item['id']);
  if (known !== undefined) return known;
  if (item['type'] === 'CommandExecution') {
    // Not what the user ran in between.
    if (item['source'] === 'user_shell') return undefined;
    const command = textOf(listOf(item['command']).at(-1));
    return { id, tool: SHELL_TOOL, arguments: { command } };
  }
  if (item['type'] !== 'McpToolCall') return undefined;
  const tool = `mcp__${textOf(item['server'])}__${textOf(item['tool'])}`;
  return { id, tool, arguments: objectOf(item['arguments']) };
}

/** How Codex itself saw a call end. */
function resultOfItem(item: JsonObject): Omit<ToolResult, 'tool'> | undefined {
  const { type, status } = item;
  if (status === 'declined') return { notRun: 'denied' };
  if (type === 'CommandExecution') {
    const exitCode = item['exit_code'];
    // Below 0: it was ended when the session was.
    if (typeof exitCode !== 'number' || exitCode < 0) return undefined;
    return { exitCode, output: textOf(item['aggregated_output']) };
  }
  if (status !== 'completed' && status !== 'failed') return undefined;
  const isError = status === 'failed';
  if (type === 'FileChange') {
    return { isError, output: textOf(item['stderr']) || textOf(item['stdout']) };
  }
  if (type !== 'McpToolCall') return undefined;
  const said = textOf(objectOf(item['error'])['message']);
  return { isError, output: said === '' ? textIn(item['result']) : said };
}

/** How a call ended by what the model was sent. */
function resultOfOutput(tool: string, output: string): Omit<ToolResult, 'tool'> | undefined {
  if (WAITING_TOOLS.has(tool)) return undefined;
  if (UNKNOWN_TOOL.test(output)) return { notRun: 'unknown-tool', output };
  if (BLOCKED.test(output)) return { notRun: 'denied', output };
  if (tool === SHELL_TOOL || tool === PATCH_TOOL) return resultOfCommand(output);
  if (tool === SCRIPT_TOOL && !SCRIPT_ENDED.test(output)) return undefined;
  return FAILED.test(output) ? { isError: true, output } : { output };
}

function resultOfCommand(output: string): Omit<ToolResult, 'tool'> | undefined {
  const { exitCode } = exitCodeIn(output);
  if (exitCode !== undefined) return { exitCode, output: output.replace(HEAD, '') };
  // What was started has a head. Without an exit code in it, it runs.
  if (STARTED.test(output)) return undefined;
  return REJECTED.test(output) ? { notRun: 'denied', output } : { isError: true, output };
}

const UNKNOWN_TOOL = /^unsupported (?:custom tool )?call: /;
const BLOCKED = /^(?:Command|Tool call) blocked by PreToolUse hook: /;
const REJECTED = /\brejected by user\b/;
/** Arguments that are not read, and the end of a script that threw. */
const FAILED = /^(?:failed to parse function arguments: |Script failed\n)/;
const SCRIPT_ENDED = /^Script (?:completed|failed)\n/;
const STARTED = /^(?:Chunk ID|Wall time): /;
/** What Codex writes in front of what a command printed. */
const HEAD = /^(?:[^\n]{0,100}\n){0,6}?Output:\n/;

function parsed(text: string): JsonObject | undefined {
  try {
    const value = JSON.parse(text) as JsonValue;
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
