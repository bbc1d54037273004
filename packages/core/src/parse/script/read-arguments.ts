import { readCalls } from '../call-shape.ts';
import type { CallDraft } from './call-draft.ts';
import type { MarkerSet } from './marker-set.ts';
import type { Declined, Script } from './script.ts';
import type { JsonPart, ScriptInput } from './script-input.ts';

/** How the arguments of a call end. */
export interface ArgumentsEnd {
  /** What usually stands behind the JSON. */
  readonly marker: string;
  /** Whatever ends the call, in all spellings. @defaultValue `marker` alone */
  readonly markers?: MarkerSet;
  /** Whether the JSON stands in a code fence, whose beginning was read. @defaultValue false */
  readonly isFenced?: boolean;
}

/** Reads a JSON object as the arguments of `draft`, and the marker behind it, which may be forgotten. */
export function* readArguments(
  input: ScriptInput,
  draft: CallDraft,
  end: ArgumentsEnd,
): Script<Declined | undefined> {
  yield* input.skipSpace();
  // No arguments at all is how some models write none.
  if (yield* takeEnd(input, end)) {
    input.endCall(draft);
    return undefined;
  }
  if (yield* input.isAtEnd()) return input.cutShort();
  const json = yield* input.json({ endMarker: end.marker, argumentsOf: draft });
  const problem = giveArguments(draft, json, input.context.maxDepth);
  if (problem !== undefined) return input.stop(problem);
  if (!json.complete) return input.cutShort();
  yield* endArguments(input, draft, end);
  return undefined;
}

/** Gives `draft` the arguments that a JSON value stands for; returns why where it stands for none. */
export function giveArguments(
  draft: CallDraft,
  json: JsonPart,
  maxDepth: number,
): string | undefined {
  if (json.value === undefined) return json.failure || 'the arguments are no JSON';
  const read = readCalls({ name: draft.name, arguments: json.value }, maxDepth);
  if (typeof read === 'string') return read;
  const [call] = read;
  if (call === undefined) return 'the arguments are no object';
  draft.setAll(call.arguments);
  for (const repair of [...json.repairs, ...call.repairs]) draft.note(repair);
  if (json.lossy || call.lossy) draft.markLossy();
  return undefined;
}

/** The arguments are whole; what ends the call may follow. */
export function* endArguments(
  input: ScriptInput,
  draft: CallDraft,
  end: ArgumentsEnd,
): Script<void> {
  input.endCall(draft);
  yield* input.skipSpace();
  if (yield* takeEnd(input, end)) input.endCall(draft);
  else draft.note('missing-end-marker');
}

function* takeEnd(input: ScriptInput, end: ArgumentsEnd): Script<boolean> {
  if (yield* input.take(end.marker)) return true;
  if (end.isFenced === true && (yield* input.take('```'))) yield* input.skipSpace();
  return end.markers !== undefined && (yield* input.takeAny(end.markers)) !== undefined;
}
