import { withArgumentsText } from '../arguments-text.ts';
import { readCalls } from '../call-shape.ts';
import type { CallDraft } from './call-draft.ts';
import type { MarkerSet } from './marker-set.ts';
import type { Declined, Script } from './script.ts';
import type { JsonPart, JsonPartOptions, ScriptInput } from './script-input.ts';

/** How the arguments of a call end. */
export interface ArgumentsEnd {
  /** What usually stands behind the JSON. */
  readonly marker: string;
  /** What begins the next call: JSON that reaches it has lost its end. */
  readonly next?: string;
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
  if ((yield* input.take(end.marker)) || (yield* takeMarker(input, end))) {
    input.endCall(draft);
    return undefined;
  }
  if (yield* input.isAtEnd()) return input.cutShort();
  // A string that holds the arguments is not told as it arrives: its source is not theirs.
  const argumentsOf = (yield* input.startsWith('{')) ? { argumentsOf: draft } : {};
  const json = yield* input.json({ ...markersOf(end), ...argumentsOf });
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
  const [whole = call] = withArgumentsText([call], json.value, json.source);
  draft.setAll(whole);
  for (const repair of [...json.repairs, ...call.repairs]) draft.note(repair);
  if (json.lossy || call.lossy || !call.complete) draft.markLossy();
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
  if (yield* input.take(end.marker)) {
    input.endCall(draft);
    return;
  }
  if (end.isFenced === true && (yield* input.take(FENCE))) {
    input.endCall(draft);
    yield* input.skipSpace();
  }
  if (yield* takeMarker(input, end)) {
    input.endCall(draft);
    return;
  }
  draft.note('missing-end-marker');
  // Where the text ends, what is there of the marker is no text either.
  const rest = yield* input.peek(end.marker.length);
  if (rest === '' || rest.length === end.marker.length || !end.marker.startsWith(rest)) return;
  input.skip(rest.length);
  input.endCall(draft);
}

/** What stands around the JSON. */
export function markersOf({ marker, next = '' }: ArgumentsEnd): JsonPartOptions {
  return { endMarker: marker, nextMarker: next };
}

function* takeMarker(input: ScriptInput, { markers }: ArgumentsEnd): Script<boolean> {
  return markers !== undefined && (yield* input.takeAny(markers)) !== undefined;
}

const FENCE = '```';
