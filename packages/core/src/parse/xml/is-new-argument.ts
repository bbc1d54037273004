import type { ReadContext } from '../format.ts';
import { parameterSchema } from '../parameter-value.ts';
import type { CallDraft } from '../script/call-draft.ts';

/**
 * Whether what looks like the beginning of `other` inside the value of `key` can be one: of an argument
 * that the call does not have yet, and that the tool has, where that is known.
 */
export function isNewArgument(
  context: ReadContext,
  draft: CallDraft,
  key: string,
  other: string,
): boolean {
  if (other === '' || other === key || draft.has(other)) return false;
  const hasSchema = context.tools?.parametersOf(draft.name)?.['properties'] !== undefined;
  return !hasSchema || parameterSchema(context, draft.name, other) !== undefined;
}
