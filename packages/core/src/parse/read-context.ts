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
  #found: Map<string, { from: number; at: number }> | undefined;
  #last: Map<string, number> | undefined;
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
    const known = this.#found?.get(literal);
    if (known !== undefined && known.from <= from && (known.at < 0 || known.at >= from))
      return known.at;
    const at = text.indexOf(literal, from);
    this.#found ??= new Map();
    this.#found.set(literal, { from, at });
    return at;
  }

  findLast(text: string, literal: string): number {
    this.#use(text);
    const known = this.#last?.get(literal);
    if (known !== undefined) return known;
    const at = text.lastIndexOf(literal);
    this.#last ??= new Map();
    this.#last.set(literal, at);
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
    this.#found = undefined;
    this.#last = undefined;
    this.#triedEnd = -1;
  }
}
