import type { ToolCall } from '../types.ts';
import { findPlaces } from './call-places.ts';
import type { ParseResult, Segment } from './parse-result.ts';
import type { FoundEnd } from './reasoning-tags.ts';

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

/** The same for a text that only the end of its reasoning shows to have begun in it. */
export function reasoningUpTo(text: string, { end, at }: FoundEnd): LeadingReasoning {
  const next = at + end.text.length;
  const reasoning = text.slice(0, at);
  const segment = { type: 'reasoning', raw: text.slice(0, next), text: reasoning } as const;
  return { segments: [segment], reasoning, rest: text.slice(next) };
}

/** A call as it counts, if it does, and the source that its parser named for it. */
export interface FoundCall {
  readonly call: ToolCall | undefined;
  readonly raw?: string;
}

/**
 * Cuts a whole-text parser's calls out of the text by the source it names for each. Where it names none,
 * or one that is not in the text, its calls stand for the whole text: nothing is lost and nothing is told twice.
 */
export function cutCalls(lead: LeadingReasoning, found: readonly FoundCall[]): Content {
  const { rest, reasoning } = lead;
  const places = findPlaces(rest, found) ?? [{ start: 0, end: rest.length, calls: found }];
  const segments: Segment[] = [...lead.segments];
  let text = '';
  let at = 0;
  const passText = (end: number): void => {
    if (end > at) segments.push({ type: 'text', raw: rest.slice(at, end) });
    text += rest.slice(at, end);
  };
  for (const { start, end, calls: written } of places) {
    const calls = written.flatMap(({ call }) => call ?? []);
    if (calls.length === 0) continue;
    passText(start);
    segments.push({ type: 'calls', raw: rest.slice(start, end), calls });
    at = end;
  }
  passText(rest.length);
  return { calls: found.flatMap(({ call }) => call ?? []), text, reasoning, segments };
}

/** The text as it is, for a parser that answered with just that. */
export function textOnly({ segments, reasoning, rest }: LeadingReasoning): Content {
  const after: readonly Segment[] = rest === '' ? [] : [{ type: 'text', raw: rest }];
  return { calls: [], text: rest, reasoning, segments: [...segments, ...after] };
}
