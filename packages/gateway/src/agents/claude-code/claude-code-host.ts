import type { JsonObject } from '@holdfast/core';
import type { AdvisedCall } from '@holdfast/core/advise';
import { listOf, objectOf, textOf } from '../../proxy/json/json-fields.ts';
import type { HookAnswer, HookEvent, HookHost, HookMoment } from '../hook/hook-host.ts';
import { readBatchResult, readFailure } from './claude-code-result.ts';
import { readRound } from './claude-code-transcript.ts';

/** What Claude Code does not cut off of a text for the model. */
const MOST_CHARACTERS = 10_000;

/**
 * Claude Code. A call that failed is told by PostToolUseFailure, which alone knows that it did; all the others,
 * those it refused before any hook among them, by PostToolBatch, once for everything that one answer of the model
 * asked for and just before the model is asked again. That is where we speak. A successful step costs one hook.
 */
export const claudeCodeHost: HookHost = {
  name: 'claude-code',
  silence: '',
  read: (payload) => Promise.resolve(readMoment(payload)),
  write,
};

function readMoment(payload: JsonObject): HookMoment | undefined {
  const session = textOf(payload['session_id']);
  const agent = textOf(payload['agent_id']);
  if (session === '') return undefined;
  const events = readEvents(payload);
  if (events === undefined) return undefined;
  return {
    conversation: agent === '' ? session : `${session}/${agent}`,
    events,
    canSpeak: payload['hook_event_name'] === 'PostToolBatch',
  };
}

function readEvents(payload: JsonObject): readonly HookEvent[] | undefined {
  switch (payload['hook_event_name']) {
    case 'PreToolUse':
      return [{ kind: 'before', call: readCall(payload, roundOf(payload, [payload])) }];
    case 'PostToolUseFailure': {
      const call = readCall(payload, roundOf(payload, [payload]));
      return [{ kind: 'after', call, result: readFailure(payload) }];
    }
    case 'PermissionDenied': {
      const call = readCall(payload, undefined);
      return [{ kind: 'after', call, result: { tool: call.tool, notRun: 'denied' } }];
    }
    case 'PostToolBatch':
      return readBatch(payload);
    case 'UserPromptSubmit':
      // What an agent in the background has to say comes as a prompt too.
      return textOf(payload['prompt']).startsWith('<task-notification>')
        ? undefined
        : [{ kind: 'user-spoke' }];
    default:
      return undefined;
  }
}

function readBatch(payload: JsonObject): readonly HookEvent[] {
  const calls = listOf(payload['tool_calls']).map(objectOf);
  // A name of our own where the transcript has none: what came together stays together.
  const round = roundOf(payload, calls) ?? textOf(calls[0]?.['tool_use_id']);
  return calls.map((each) => {
    const call = readCall(each, round);
    return { kind: 'after', call, result: readBatchResult(call.tool, each['tool_response']) };
  });
}

function roundOf(payload: JsonObject, calls: readonly JsonObject[]): string | undefined {
  const ids = calls.map((call) => textOf(call['tool_use_id']));
  return readRound(payload, new Set(ids));
}

function readCall(from: JsonObject, round: string | undefined): AdvisedCall {
  const id = textOf(from['tool_use_id']);
  return {
    tool: textOf(from['tool_name']),
    arguments: objectOf(from['tool_input']),
    ...(id !== '' && { id }),
    ...(round !== undefined && round !== '' && { round }),
  };
}

function write(payload: JsonObject, { advice, veto }: HookAnswer): string {
  const hookEventName = textOf(payload['hook_event_name']);
  const isVeto = veto !== undefined && hookEventName === 'PreToolUse';
  return JSON.stringify({
    hookSpecificOutput: {
      hookEventName,
      ...(isVeto && { permissionDecision: 'deny', permissionDecisionReason: veto }),
      ...(advice !== undefined && { additionalContext: advice.slice(0, MOST_CHARACTERS) }),
    },
  });
}
