import type { JsonObject } from '@holdfast/core';
import { objectOf, textOf } from '../../proxy/json/json-fields.ts';
import type { HookAnswer, HookEvent, HookHost, HookMoment } from '../hook/hook-host.ts';
import { readLastLines } from '../hook/read-last-lines.ts';
import { readEndedCalls } from './codex-calls.ts';
import type { EndedCall } from './codex-calls.ts';
import { readResponse } from './codex-response.ts';
import { SHELL_TOOL } from './codex-tools.ts';

/**
 * Codex, by its hooks PreToolUse, PostToolUse and UserPromptSubmit. They are not told exit codes, and most failures
 * fire none of them: both stand in the rollout, the file that Codex keeps of the session.
 */
export const codexHost: HookHost = {
  name: 'codex',
  // Codex takes no output for no opinion.
  silence: '',
  read: (payload) => Promise.resolve(readMoment(payload)),
  write,
};

function readMoment(payload: JsonObject): HookMoment | undefined {
  const session = textOf(payload['session_id']);
  const name = payload['hook_event_name'];
  if (session === '' || typeof name !== 'string' || !EVENTS.has(name)) return undefined;
  const agent = textOf(payload['agent_id']);
  const conversation = agent === '' ? session : `${session}/${agent}`;
  const lines = readLastLines(textOf(payload['transcript_path']));
  const ended = readEndedCalls(lines ?? []);
  if (name === 'UserPromptSubmit') {
    return { conversation, events: [...ended, { kind: 'user-spoke' }], canSpeak: true };
  }
  const tool = textOf(payload['tool_name']);
  if (tool === '') return undefined;
  const id = textOf(payload['tool_use_id']);
  const call = { tool, arguments: objectOf(payload['tool_input']), ...(id !== '' && { id }) };
  if (name === 'PreToolUse') {
    return { conversation, events: [...ended, { kind: 'before', call }], canSpeak: true };
  }
  const others = ended.filter((each) => each.call.id !== id);
  const own = ended.find((each) => each.call.id === id);
  const told: EndedCall = {
    kind: 'after',
    call,
    result: { ...readResponse(tool, payload['tool_response']), ...exitOf(own) },
  };
  const isTold = tool !== SHELL_TOOL || own !== undefined || lines === undefined;
  // Without its exit code nothing is known of a command. The rollout has it by the next moment.
  const events: readonly HookEvent[] = isTold ? [...others, told] : others;
  return { conversation, events, canSpeak: true };
}

const EVENTS: ReadonlySet<string> = new Set(['PreToolUse', 'PostToolUse', 'UserPromptSubmit']);

/** What the rollout knows of a call and the hook is not told. */
function exitOf(own: EndedCall | undefined): { readonly exitCode?: number } {
  const exitCode = own?.result.exitCode;
  return exitCode === undefined ? {} : { exitCode };
}

/** A key that Codex does not know makes it throw all of the output away. */
function write(payload: JsonObject, { advice, veto }: HookAnswer): string {
  const hookEventName = payload['hook_event_name'];
  if (veto !== undefined && hookEventName === 'PreToolUse') {
    const permissionDecisionReason = advice === undefined ? veto : `${veto}\n\n${advice}`;
    const denied = { hookEventName, permissionDecision: 'deny', permissionDecisionReason };
    return JSON.stringify({ hookSpecificOutput: denied });
  }
  if (advice === undefined) return '';
  return JSON.stringify({ hookSpecificOutput: { hookEventName, additionalContext: advice } });
}
