import { readCalls } from '../call-shape.ts';
import type { Declined } from './script.ts';
import type { JsonPart, ScriptInput } from './script-input.ts';

/** Takes the calls that a JSON value stands for, one or a list. */
export function takeJsonCalls(input: ScriptInput, json: JsonPart): Declined | undefined {
  if (json.value === undefined) return input.stop(json.failure || 'it is no JSON');
  if (!json.complete && !input.context.keepsIncomplete) return input.cutShort();
  const calls = readCalls(json.value, input.context.maxDepth);
  if (typeof calls === 'string') return input.stop(calls);
  for (const [at, call] of calls.entries()) {
    const draft = input.beginCall(call.name, call.id);
    draft.setAll(call.arguments);
    for (const repair of [...json.repairs, ...call.repairs]) draft.note(repair);
    if (json.lossy || call.lossy || !call.complete) draft.markLossy();
    if (!json.complete && at === calls.length - 1) return input.cutShort();
    input.endCall(draft);
  }
  return undefined;
}
