import type { JsonObject } from '@holdfast/core';
import { objectOf, textOf } from '../../proxy/json/json-fields.ts';
import type { HookEvent, HookHost, HookMoment } from '../hook/hook-host.ts';
import { callOf } from './call-of.ts';
import { resultOf } from './result-of.ts';

/** What our plugin in opencode tells, and what it is told: `plugin-source.ts` is the other end. */
export const openCodeHost: HookHost = {
  name: 'opencode',
  silence: '{}',
  read: (payload) => Promise.resolve(readMoment(payload)),
  write: (_payload, { advice, veto }) =>
    JSON.stringify({
      ...(advice !== undefined && { advice }),
      ...(veto !== undefined && { veto }),
    }),
};

function readMoment(payload: JsonObject): HookMoment | undefined {
  const conversation = textOf(payload['sessionID']);
  if (conversation === '') return undefined;
  const event = eventOf(payload);
  if (event === undefined) return undefined;
  // The plugin puts what we say to the result of the call, so that it is said where a call has ended.
  return { conversation, events: [event], canSpeak: event.kind === 'after' };
}

function eventOf(payload: JsonObject): HookEvent | undefined {
  const event = textOf(payload['event']);
  if (event === 'chat.message') return { kind: 'user-spoke' };
  if (textOf(payload['tool']) === '') return undefined;
  const call = callOf(payload);
  if (event === 'tool.execute.before') return { kind: 'before', call };
  if (event !== 'tool.execute.after' && event !== 'tool.failed') return undefined;
  return { kind: 'after', call, result: resultOf(call, payload, objectOf(payload['metadata'])) };
}
