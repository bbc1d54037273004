import type { ReadContext } from './format.ts';
import type { OfferedTools } from './offered-tools.ts';
import type { TextState } from './text-state.ts';

/**
 * Searches for markers and remembers what it found, for as long as the text stays the same: fifty
 * thousand openings with no end marker must not search the rest of the text fifty thousand times.
 */
export class RememberingContext implements ReadContext {
  readonly maxDepth: number;
  readonly keepsIncomplete: boolean;
  readonly tools: OfferedTools | undefined;
  #text = '';
  /** What was searched for; a text is searched for a handful of markers at most. */
  #found: Found[] = [];
  #last: Found[] = [];
  #triedEnd = -1;

  readonly #state: TextState;

  constructor(
    maxDepth: number,
    keepsIncomplete: boolean,
    tools: OfferedTools | undefined,
    state: TextState,
  ) {
    this.maxDepth = maxDepth;
    this.keepsIncomplete = keepsIncomplete;
    this.tools = tools;
    this.#state = state;
  }

  hasRead(parser: string): boolean {
    return this.#state.parsersSeen.includes(parser);
  }

  get mode(): string | undefined {
    return this.#state.mode;
  }

  get before(): string {
    return this.#state.before;
  }

  find(text: string, literal: string, from: number): number {
    this.#use(text);
    const known = this.#found.find((one) => one.literal === literal);
    if (known !== undefined && known.from <= from && (known.at < 0 || known.at >= from))
      return known.at;
    const at = text.indexOf(literal, from);
    if (known === undefined) this.#found.push({ literal, from, at });
    else {
      known.from = from;
      known.at = at;
    }
    return at;
  }

  findLast(text: string, literal: string): number {
    this.#use(text);
    const known = this.#last.find((one) => one.literal === literal);
    if (known !== undefined) return known.at;
    const at = text.lastIndexOf(literal);
    this.#last.push({ literal, from: 0, at });
    return at;
  }

  mayTryWhole(text: string, end: number): boolean {
    this.#use(text);
    if (this.#triedEnd === end) return false;
    this.#triedEnd = end;
    return true;
  }

  #use(text: string): void {
    // Same length first: comparing two different long strings would itself cost their length.
    if (this.#text.length === text.length && this.#text === text) return;
    this.#text = text;
    if (this.#found.length > 0) this.#found = [];
    if (this.#last.length > 0) this.#last = [];
    this.#triedEnd = -1;
  }
}

interface Found {
  readonly literal: string;
  /** Where the search began, and what it found. */
  from: number;
  at: number;
}
