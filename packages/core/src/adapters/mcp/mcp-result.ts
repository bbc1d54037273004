import { isRecord } from '../../advise/conversation/record.ts';
import type { UnknownRecord } from '../../advise/conversation/record.ts';
import { isOwnAdvice } from '../../advise/conversation/own-advice.ts';
import type { ToolOutcome } from '../../call/tool-outcome.ts';

/** More repairs of one call are counted, not listed. */
const MOST_REPAIRS = 20;

/**
 * What a guarded call answers: the tool's own result where there is one, else one that tells the model what
 * failed. Advice is one more text, and the rest stays the very same, `structuredContent` above all.
 */
export function mcpResult(outcome: ToolOutcome, repairs: readonly string[]): unknown {
  const given = outcome.ok || 'value' in outcome ? outcome.value : errorResult(outcome.message);
  // What a client has to give first is no result yet, and what is no object never was one.
  if (!isRecord(given) || given['resultType'] === 'input_required') return given;
  const { metadata, advice } = outcome;
  const _meta = {
    ...(isRecord(given['_meta']) ? given['_meta'] : {}),
    ...metadata,
    ...(repairs.length > 0 && { 'holdfast/repairs': fewOf(repairs) }),
  };
  const { content } = given;
  if (advice === undefined || !Array.isArray(content) || isAdvised(content))
    return { ...given, _meta };
  const blocks: readonly unknown[] = content;
  return { ...given, content: [...blocks, { type: 'text', text: advice.text }], _meta };
}

function errorResult(text: string): UnknownRecord {
  return { content: [{ type: 'text', text }], isError: true };
}

/** Two advices would read as an order to do both: a guard on the other side may have spoken already. */
function isAdvised(content: readonly unknown[]): boolean {
  const last = content.at(-1);
  return isRecord(last) && typeof last['text'] === 'string' && isOwnAdvice(last['text']);
}

function fewOf(repairs: readonly string[]): readonly string[] {
  const rest = repairs.length - MOST_REPAIRS;
  return rest > 0 ? [...repairs.slice(0, MOST_REPAIRS), `and ${rest} more`] : repairs;
}
