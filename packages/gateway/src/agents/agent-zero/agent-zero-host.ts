import type { JsonObject, JsonValue } from '@holdfast/core';
import type { AdvisedCall, ToolResult } from '@holdfast/core/advise';
import { isObject, listOf, objectOf, textOf } from '../../proxy/json/json-fields.ts';
import type { HookAnswer, HookEvent, HookHost, HookMoment } from '../hook/hook-host.ts';

/** What advice begins with. In the log it is known by another sign, the one agent-zero's users look for. */
const GUIDANCE = /^⚠️ Tool guidance: /u;
const LOG_PREFIX = '[Fallback] ';

/** Agent-zero, as our own extensions speak of it: `python/agent-zero/holdfast_hook.py` is the other end. */
export const agentZeroHost: HookHost = {
  name: 'agent-zero',
  silence: '{}',
  endsInput: true,

  read(payload: JsonObject): Promise<HookMoment | undefined> {
    return Promise.resolve(readMoment(payload));
  },

  write(_payload: JsonObject, { advice, veto }: HookAnswer): string {
    if (veto !== undefined) {
      const text = advice === undefined ? veto : `${veto}\n\n${advice}`;
      return JSON.stringify({ veto: text, log: logLine(text) });
    }
    return advice === undefined ? '{}' : JSON.stringify({ advice, log: logLine(advice) });
  },
};

function readMoment(payload: JsonObject): HookMoment | undefined {
  const session = textOf(payload['session']);
  const call = readCall(payload);
  if (session === '' || call === undefined) return undefined;
  const now = readEvents(payload, call);
  if (now.length === 0) return undefined;
  const events = [...listOf(payload['earlier']).flatMap(readEarlier), ...now];
  // Agents that work for another have the same chat and a number of their own.
  const conversation = `${session}/${Number(payload['agent'] ?? 0)}`;
  return { conversation, events, canSpeak: true };
}

/** What was kept until there was something that could be answered: that a call began costs no process of its own. */
function readEarlier(value: JsonValue): readonly HookEvent[] {
  const call = isObject(value) ? readCall(value) : undefined;
  return call === undefined ? [] : readEvents(objectOf(value), call);
}

function readEvents(payload: JsonObject, call: AdvisedCall): readonly HookEvent[] {
  switch (payload['event']) {
    case 'tool_execute_before':
      return [
        ...readRaised(payload['raised']),
        ...(payload['user_spoke'] === true ? [{ kind: 'user-spoke' as const }] : []),
        { kind: 'before', call },
      ];
    case 'tool_execute_after':
      return [
        { kind: 'after', call, result: { tool: call.tool, output: textOf(payload['output']) } },
      ];
    case 'tool_exception':
      return [{ kind: 'after', call, result: raisedResult(call, textOf(payload['error'])) }];
    default:
      return [];
  }
}

/** A call that was begun and never ended: where nothing tells of exceptions, that is all we hear of them. */
function readRaised(value: JsonValue | undefined): readonly HookEvent[] {
  const call = isObject(value) ? readCall(value) : undefined;
  return call === undefined ? [] : [{ kind: 'after', call, result: raisedResult(call, '') }];
}

function readCall(payload: JsonObject): AdvisedCall | undefined {
  const tool = textOf(payload['tool']);
  if (tool === '') return undefined;
  const id = textOf(payload['call_id']);
  const args = payload['args'];
  return {
    tool,
    ...(isObject(args) && { arguments: args }),
    ...(id !== '' && { id }),
  };
}

function raisedResult({ tool }: AdvisedCall, error: string): ToolResult {
  return { tool, isError: true, output: error, ...(error !== '' && { error }) };
}

function logLine(text: string): string {
  return LOG_PREFIX + text.replace(GUIDANCE, '').replaceAll('\n', ' ');
}
