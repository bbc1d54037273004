import type { ToolCall } from '../types.ts';
import type { ParseResult, Segment } from './parse-result.ts';

type Content = Pick<ParseResult, 'calls' | 'text' | 'reasoning' | 'segments'>;

/** The reasoning a text begins with, and the rest, which is what a whole-text parser gets to see. */
export interface LeadingReasoning {
  readonly segments: readonly Segment[];
  readonly reasoning: string;
  readonly rest: string;
}

export function splitReasoning(text: string, segments: readonly Segment[]): LeadingReasoning {
  const [first] = segments;
  if (first?.type !== 'reasoning') return { segments: [], reasoning: '', rest: text };
  return { segments: [first], reasoning: first.text, rest: text.slice(first.raw.length) };
}

/**
 * Cuts a whole-text parser's calls out of the text by the source it names for each. Where it names none,
 * or one that is not in the text, its calls stand for the whole text: nothing is lost and nothing is told twice.
 */
export function cutCalls(
  lead: LeadingReasoning,
  found: readonly { readonly call: ToolCall; readonly source: string | undefined }[],
): Content {
  const { rest, reasoning } = lead;
  const calls = found.map(({ call }) => call);
  const segments: Segment[] = [...lead.segments];
  let text = '';
  let at = 0;
  for (const { call, source } of found) {
    const start = source === undefined || source === '' ? -1 : rest.indexOf(source, at);
    if (source === undefined || start < 0) {
      return {
        calls,
        text: '',
        reasoning,
        segments: [...lead.segments, { type: 'calls', raw: rest, calls }],
      };
    }
    if (start > at) segments.push({ type: 'text', raw: rest.slice(at, start) });
    text += rest.slice(at, start);
    segments.push({ type: 'calls', raw: source, calls: [call] });
    at = start + source.length;
  }
  if (at < rest.length) segments.push({ type: 'text', raw: rest.slice(at) });
  return { calls, text: text + rest.slice(at), reasoning, segments };
}

/** The text as it is, for a parser that answered with just that. */
export function textOnly({ segments, reasoning, rest }: LeadingReasoning): Content {
  const after: readonly Segment[] = rest === '' ? [] : [{ type: 'text', raw: rest }];
  return { calls: [], text: rest, reasoning, segments: [...segments, ...after] };
}
