import { isJsonObject } from '../call-keys.ts';
import type { CallDraft } from './call-draft.ts';
import type { Declined, Script } from './script.ts';
import type { ScriptInput } from './script-input.ts';

/** Reads a JSON object as the arguments of `draft`, and the marker behind it, which may be forgotten. */
export function* readArguments(
  input: ScriptInput,
  draft: CallDraft,
  endMarker: string,
): Script<Declined | undefined> {
  yield* input.skipSpace();
  // No arguments at all is how some models write none.
  if (yield* input.take(endMarker)) {
    input.endCall(draft);
    return undefined;
  }
  if (yield* input.isAtEnd()) return input.cutShort();
  const json = yield* input.json({ endMarker, argumentsOf: draft });
  if (!isJsonObject(json.value)) return input.stop(json.failure || 'the arguments are no object');
  draft.setAll(json.value);
  for (const repair of json.repairs) draft.note(repair);
  if (json.lossy) draft.markLossy();
  if (!json.complete) return input.cutShort();
  input.endCall(draft);
  yield* input.skipSpace();
  if (yield* input.take(endMarker)) input.endCall(draft);
  else draft.note('missing-end-marker');
  return undefined;
}
