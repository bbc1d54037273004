import { withArgumentsText } from '../arguments-text.ts';
import { readCalls } from '../call-shape.ts';
import type { RawCall } from '../format.ts';
import type { Declined, Script } from '../script/script.ts';
import type { ScriptInput } from '../script/script-input.ts';

/** Reads calls written as JSON objects, in a list whose bracket was read or one after the other. */
export function* readJsonCalls(
  input: ScriptInput,
  isList: boolean,
  endMarker: string | undefined,
): Script<Declined | undefined> {
  for (;;) {
    const json = yield* input.json(endMarker === undefined ? {} : { endMarker });
    if (json.value === undefined) return input.stop(json.failure);
    if (!json.complete) return input.cutShort();
    const calls = readCalls(json.value, input.context.maxDepth);
    if (typeof calls === 'string') return input.stop(calls);
    for (const call of withArgumentsText(calls, json.value, json.source)) {
      const { lossy, repairs } = json;
      addCall(input, {
        ...call,
        repairs: [...repairs, ...call.repairs],
        lossy: lossy || call.lossy,
      });
    }
    yield* input.skipSpace();
    const hasComma = yield* input.take(',');
    if (hasComma) yield* input.skipSpace();
    const last = input.drafts.at(-1);
    if (isList && (yield* input.take(']'))) {
      if (hasComma) last?.note('trailing-comma');
      if (last !== undefined) input.endCall(last);
      return undefined;
    }
    if (yield* input.startsWith('{')) continue;
    if (isList) last?.note('missing-brace');
    return undefined;
  }
}

function addCall(input: ScriptInput, call: RawCall): void {
  const draft = input.beginCall(call.name, call.id);
  draft.setAll(call);
  for (const repair of call.repairs) draft.note(repair);
  if (call.lossy || !call.complete) draft.markLossy();
  input.endCall(draft);
}
