import type { ReadContext } from './format.ts';
import type { OfferedTools } from './offered-tools.ts';
import type { TextState } from './text-state.ts';

const NON_ASCII = /[^\0-\x7f]/g;

/**
 * Searches for markers and remembers what it found, for as long as the text stays the same: fifty
 * thousand openings with no end marker must not search the rest of the text fifty thousand times.
 * Where readers are given only as much of a text as a call may have, each another beginning of it,
 * it is the text itself that is searched.
 */
export class RememberingContext implements ReadContext {
  readonly maxDepth: number;
  readonly keepsIncomplete: boolean;
  readonly tools: OfferedTools | undefined;
  readonly evidence: OfferedTools | undefined;
  #text = '';
  /** A beginning of the text that readers are given in its place. */
  #beginning = '';
  /** What was searched for; a text is searched for a handful of markers at most. */
  #found: Found[] = [];
  #last: FoundLast[] = [];
  #triedEnd = -1;
  /** From where to where the text is known to be ASCII. */
  #asciiFrom = 0;
  #asciiEnd = -1;

  readonly #state: TextState;

  constructor(
    maxDepth: number,
    keepsIncomplete: boolean,
    tools: OfferedTools | undefined,
    state: TextState,
    evidence?: OfferedTools,
  ) {
    this.maxDepth = maxDepth;
    this.keepsIncomplete = keepsIncomplete;
    this.tools = tools;
    this.#state = state;
    this.evidence = evidence;
  }

  hasRead(parser: string): boolean {
    return this.#state.parsersSeen.includes(parser);
  }

  expects(parser: string): boolean {
    return this.#state.preferred === parser || this.hasRead(parser);
  }

  get mode(): string | undefined {
    return this.#state.mode;
  }

  get before(): string {
    return this.#state.before;
  }

  /** From now on readers are given `beginning`, with which `text` begins. */
  give(beginning: string, text: string): void {
    this.#useText(text);
    this.#beginning = beginning;
  }

  find(text: string, literal: string, from: number): number {
    this.#use(text);
    const at = this.#find(literal, from);
    return at + literal.length <= text.length ? at : -1;
  }

  findLast(text: string, literal: string): number {
    this.#use(text);
    const known = this.#last.find((one) => one.literal === literal);
    if (known === undefined) {
      const at = text.lastIndexOf(literal);
      this.#last.push({ literal, end: text.length, at });
      return at;
    }
    if (known.end > text.length) known.at = text.lastIndexOf(literal);
    else if (known.end < text.length) {
      // Only what was not searched yet, with what of the literal may stand before it.
      const from = Math.max(0, known.end - literal.length + 1);
      const at = text.slice(from).lastIndexOf(literal);
      if (at >= 0) known.at = from + at;
    }
    known.end = text.length;
    return known.at;
  }

  mayTryWhole(text: string, end: number): boolean {
    this.#use(text);
    if (this.#triedEnd === end) return false;
    this.#triedEnd = end;
    return true;
  }

  /** Searches `text` from `from` on for what is not ASCII, so that `asciiUntil` knows. */
  searchAscii(text: string, from: number): void {
    this.#use(text);
    if (from >= this.#asciiFrom && from <= this.#asciiEnd) return;
    NON_ASCII.lastIndex = from;
    this.#asciiFrom = from;
    this.#asciiEnd = NON_ASCII.test(this.#text) ? NON_ASCII.lastIndex - 1 : this.#text.length;
  }

  /** How far `text` is known to be ASCII from `from` on; `from` where nobody has searched. */
  asciiUntil(text: string, from: number): number {
    this.#use(text);
    return from < this.#asciiFrom ? from : Math.max(from, Math.min(this.#asciiEnd, text.length));
  }

  #find(literal: string, from: number): number {
    const known = this.#found.find((one) => one.literal === literal);
    if (known !== undefined && known.from <= from && (known.at < 0 || known.at >= from))
      return known.at;
    const at = this.#text.indexOf(literal, from);
    if (known === undefined) this.#found.push({ literal, from, at });
    else {
      known.from = from;
      known.at = at;
    }
    return at;
  }

  #use(text: string): void {
    if (!isSame(this.#beginning, text)) this.#useText(text);
  }

  #useText(text: string): void {
    if (isSame(this.#text, text)) return;
    this.#text = text;
    this.#beginning = text;
    if (this.#found.length > 0) this.#found = [];
    if (this.#last.length > 0) this.#last = [];
    this.#triedEnd = -1;
    this.#asciiFrom = 0;
    this.#asciiEnd = -1;
  }
}

/** Same length first: comparing two different long strings would itself cost their length. */
function isSame(one: string, other: string): boolean {
  return one.length === other.length && one === other;
}

interface Found {
  readonly literal: string;
  /** Where the search began, and what it found. */
  from: number;
  at: number;
}

interface FoundLast {
  readonly literal: string;
  /** Where the text ended that was searched, and what was found. */
  end: number;
  at: number;
}
