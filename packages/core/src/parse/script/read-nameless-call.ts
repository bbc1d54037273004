import { isJsonObject } from '../call-keys.ts';
import type { CallDraft } from './call-draft.ts';
import { endArguments, giveArguments, markersOf } from './read-arguments.ts';
import type { ArgumentsEnd } from './read-arguments.ts';
import type { Declined, Script } from './script.ts';
import type { JsonPart, ScriptInput } from './script-input.ts';

/** Reads the arguments of a call whose name was lost, and what ends it. */
export function* readNamelessCall(
  input: ScriptInput,
  id: string | undefined,
  end: ArgumentsEnd,
): Script<Declined | undefined> {
  yield* input.skipSpace();
  const json = yield* input.json(markersOf(end));
  if (!json.complete) return input.cutShort();
  const draft = beginNamelessCall(input, json, id);
  if (typeof draft === 'string') return input.stop(draft);
  yield* endArguments(input, draft, end);
  return undefined;
}

/**
 * Begins a call whose name was lost: it is the one tool offered that takes arguments of these names. That
 * is a guess, so the call is marked lossy. Returns why where it can be none.
 */
export function beginNamelessCall(
  input: ScriptInput,
  json: JsonPart,
  id: string | undefined,
): CallDraft | string {
  const { tools, maxDepth } = input.context;
  if (!isJsonObject(json.value)) return json.failure || 'it names no tool';
  const name = tools?.onlyToolTaking(Object.keys(json.value));
  if (name === undefined) return 'it names no tool, and no single tool offered fits';
  const draft = input.beginCall(name, id);
  giveArguments(draft, json, maxDepth);
  draft.note('tool-name');
  draft.markLossy();
  return draft;
}
