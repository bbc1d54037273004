import type { ReadContext } from '../format.ts';
import type { CallDraft } from '../script/call-draft.ts';

/** An argument that the tool requires and the call does not have; undefined when there is none. */
export function missingArgument(context: ReadContext, draft: CallDraft): string | undefined {
  const required = context.tools?.parametersOf(draft.name)?.['required'];
  if (!Array.isArray(required)) return undefined;
  return required.find((key): key is string => typeof key === 'string' && !draft.has(key));
}
