import type { ReasoningEnd, ReasoningTag } from './format.ts';

/** The tags models of many families put around what they think before they answer. */
export const REASONING_TAGS: readonly ReasoningTag[] = ['think', 'thinking', 'reasoning'].map(
  (name) => ({ open: `<${name}>`, close: `</${name}>` }),
);

export interface FoundEnd {
  readonly end: ReasoningEnd;
  readonly at: number;
}

/** The first of `ends` at or after `from`. */
export function findReasoningEnd(
  text: string,
  from: number,
  ends: readonly ReasoningEnd[],
): FoundEnd | undefined {
  let first: { end: ReasoningEnd; at: number } | undefined;
  for (const end of ends) {
    const at = text.indexOf(end.text, from);
    if (at >= 0 && (first === undefined || at < first.at)) first = { end, at };
  }
  return first;
}

/**
 * Searches a text for ends of reasoning, further on each time. What was found stays found: a flood of openings must
 * not search the rest of the text for each.
 */
export class EndSearch {
  readonly #text: string;
  /** Null while there is nothing to remember: most texts have no reasoning. */
  #found: Map<readonly ReasoningEnd[], FoundEnd | undefined> | null = null;

  constructor(text: string) {
    this.#text = text;
  }

  /** The first of `ends` at or after `from`. */
  find(from: number, ends: readonly ReasoningEnd[]): FoundEnd | undefined {
    this.#found ??= new Map();
    const known = this.#found.get(ends);
    const isKnown = this.#found.has(ends) && (known === undefined || known.at >= from);
    if (isKnown) return known;
    const found = findReasoningEnd(this.#text, from, ends);
    this.#found.set(ends, found);
    return found;
  }
}

/** The length of the longest end of `text` that is a beginning of one of `ends`. */
export function partialReasoningEnd(text: string, ends: readonly ReasoningEnd[]): number {
  let longest = 0;
  for (const { text: tag } of ends) {
    for (let length = Math.min(tag.length - 1, text.length); length > longest; length--) {
      if (text.endsWith(tag.slice(0, length))) longest = length;
    }
  }
  return longest;
}
