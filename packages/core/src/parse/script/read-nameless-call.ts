import { isJsonObject } from '../call-keys.ts';
import { endArguments, giveArguments } from './read-arguments.ts';
import type { ArgumentsEnd } from './read-arguments.ts';
import type { Declined, Script } from './script.ts';
import type { ScriptInput } from './script-input.ts';

/**
 * Reads the arguments of a call whose name was lost: it is the one tool offered that takes arguments of
 * these names. That is a guess, so the call is marked lossy.
 */
export function* readNamelessCall(
  input: ScriptInput,
  id: string | undefined,
  end: ArgumentsEnd,
): Script<Declined | undefined> {
  const { tools, maxDepth } = input.context;
  if (tools === undefined) return input.stop('it names no tool');
  yield* input.skipSpace();
  const json = yield* input.json({ endMarker: end.marker });
  if (!json.complete) return input.cutShort();
  if (!isJsonObject(json.value)) return input.stop(json.failure || 'it names no tool');
  const name = tools.onlyToolTaking(Object.keys(json.value));
  if (name === undefined) return input.stop('it names no tool, and no single tool fits');
  const draft = input.beginCall(name, id);
  giveArguments(draft, json, maxDepth);
  draft.note('tool-name');
  draft.markLossy();
  yield* endArguments(input, draft, end);
  return undefined;
}
