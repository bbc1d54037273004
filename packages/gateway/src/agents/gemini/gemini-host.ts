import type { JsonObject } from '@holdfast/core';
import type { AdvisedCall } from '@holdfast/core/advise';
import { objectOf, textOf } from '../../proxy/json/json-fields.ts';
import type { HookAnswer, HookEvent, HookHost, HookMoment } from '../hook/hook-host.ts';
import { argumentsOf } from './gemini-arguments.ts';
import { readGeminiResult } from './gemini-result.ts';
import { readUnheardCalls } from './gemini-transcript.ts';

/** What Gemini CLI prints nothing for is taken from stderr, and may deny the call: there is always JSON. */
const SILENCE = '{}';

/** Gemini CLI, by its hooks BeforeTool, AfterTool and BeforeAgent. It gives calls no ids. */
export const geminiHost: HookHost = {
  name: 'gemini',
  silence: SILENCE,
  read: (payload) => Promise.resolve(readMoment(payload)),
  write,
};

function readMoment(payload: JsonObject): HookMoment | undefined {
  const conversation = textOf(payload['session_id']);
  if (conversation === '') return undefined;
  const event = readEvent(payload);
  if (event === undefined) return undefined;
  const unheard = readUnheardCalls(textOf(payload['transcript_path']));
  return { conversation, events: [...unheard, event], canSpeak: reachesModel(payload) };
}

function readEvent(payload: JsonObject): HookEvent | undefined {
  const name = payload['hook_event_name'];
  if (name === 'BeforeAgent') return { kind: 'user-spoke' };
  const tool = textOf(payload['tool_name']);
  if (tool === '') return undefined;
  const call: AdvisedCall = { tool, arguments: argumentsOf(payload['tool_input']) };
  if (name === 'BeforeTool') return { kind: 'before', call };
  if (name !== 'AfterTool') return undefined;
  const response = objectOf(payload['tool_response']);
  // The call was stopped to ask the user, and is made again with what was allowed: this is no result.
  if (errorType(response) === 'sandbox_expansion_required') return undefined;
  return { kind: 'after', call, result: readGeminiResult(tool, response) };
}

/** Errors that end the session, or that a veto would change the meaning of. */
const FATAL: ReadonlySet<string> = new Set(['no_space_left', 'stop_execution']);

function reachesModel(payload: JsonObject): boolean {
  return (
    payload['hook_event_name'] === 'AfterTool' &&
    !FATAL.has(errorType(objectOf(payload['tool_response'])))
  );
}

function write(payload: JsonObject, { advice, veto }: HookAnswer): string {
  if (payload['hook_event_name'] === 'BeforeTool') {
    return veto === undefined ? SILENCE : JSON.stringify({ decision: 'deny', reason: veto });
  }
  if (payload['hook_event_name'] !== 'AfterTool' || advice === undefined) return SILENCE;
  const error = objectOf(objectOf(payload['tool_response'])['error']);
  const message = textOf(error['message']);
  if (message !== '') {
    // Of a tool that reports an error, the model is sent the error's message and no context. The reason of a
    // hook that denies the result takes the message's place: the same words, with ours behind them.
    return JSON.stringify({ decision: 'deny', reason: `${message}\n\n${advice}` });
  }
  const hookSpecificOutput = { hookEventName: 'AfterTool', additionalContext: advice };
  return JSON.stringify({ hookSpecificOutput });
}

function errorType(response: JsonObject): string {
  return textOf(objectOf(response['error'])['type']);
}
