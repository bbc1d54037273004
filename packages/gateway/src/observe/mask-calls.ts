import type { ToolDefinition } from '@holdfast/core';
import { createDefaultRegistry } from '@holdfast/core/parse';
import { maskWords, wordsOf } from './mask-words.ts';
import { UNREAD_CODES } from './unread-codes.ts';

const registry = createDefaultRegistry();

/** The text of a model without the values in its calls, those that could not be read too. Prose stays. */
export function maskCalls(
  text: string,
  tools: readonly ToolDefinition[],
  known: ReadonlySet<string> = wordsOf(tools),
): string {
  const options = { tools, callsInReasoning: 'read', unknownTool: 'call', explain: true } as const;
  const { segments, issues, explanation = [] } = registry.parse(text, options);
  const unread = [
    ...issues.filter(({ code }) => UNREAD_CODES.has(code)),
    // A bracket alone begins no call, and stands in many an answer.
    ...explanation.filter(
      ({ decision, opening }) => decision === 'not-a-call' && /\p{L}/u.test(opening),
    ),
  ]
    .map(({ offset }) => offset)
    .sort((one, other) => one - other);
  let next = 0;
  let masked = '';
  let offset = 0;
  let isUnread = false;
  for (const { type, raw } of segments) {
    const end = offset + raw.length;
    const isCall = type === 'calls';
    while ((unread[next] ?? end) < offset) next++;
    const first = Math.min(end, unread[next] ?? end);
    // Where what could not be read ends, nobody knows: the next call is sure to be none of it.
    const from = isCall || isUnread ? offset : first;
    isUnread = !isCall && (isUnread || first < end);
    masked += raw.slice(0, from - offset) + maskWords(raw.slice(from - offset), known);
    offset = end;
  }
  return masked;
}
