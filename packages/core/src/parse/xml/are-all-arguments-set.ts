import { isJsonObject } from '../call-keys.ts';
import type { ReadContext } from '../format.ts';
import type { CallDraft } from '../script/call-draft.ts';

/**
 * Whether every parameter that the tool has was set. Where the text ends before a call does, nobody can
 * tell whether another argument would have come, unless there is none left.
 */
export function areAllArgumentsSet({ tools }: ReadContext, draft: CallDraft): boolean {
  const parameters = tools?.parametersOf(draft.name);
  if (parameters === undefined) return false;
  const properties = parameters['properties'];
  if (!isJsonObject(properties)) return true;
  return Object.keys(properties).every((key) => draft.has(key));
}
