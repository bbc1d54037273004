import { FenceState } from './fence-state.ts';
import type { ReasoningEnd } from './format.ts';
import { GREATER_THAN, NEWLINE, isSpace } from './json/char-code.ts';
import type { FoundEnd } from './reasoning-tags.ts';

/** As `indexOf` says it. */
const NONE = -1;
const NOT_SEARCHED = -2;

/** What only the ends of reasoning hold: tokens such as `<|end|>` end other messages as well. */
const REASONING_WORD = /think|thought|reason/i;
const BEGINNING_LENGTH = 4;

/** The ends that show that a text began in reasoning. */
export class OrphanEnds {
  readonly ends: readonly ReasoningEnd[];
  /** The characters that the ends begin with. */
  readonly firsts: readonly string[];
  readonly longest: number;
  /** What they begin with: few beginnings are searched faster than all ends. */
  readonly #beginnings: readonly string[];

  constructor(ends: readonly ReasoningEnd[]) {
    this.ends = ends.filter(
      ({ text, beginsNext }) => beginsNext !== true && REASONING_WORD.test(text),
    );
    this.firsts = [...new Set(this.ends.map(({ text }) => text.charAt(0)))];
    this.longest = Math.max(0, ...this.ends.map(({ text }) => text.length));
    this.#beginnings = [...new Set(this.ends.map(({ text }) => text.slice(0, BEGINNING_LENGTH)))];
  }

  /** Whether one of the ends may be in `text`. */
  mayBeIn(text: string): boolean {
    for (const beginning of this.#beginnings) if (text.includes(beginning)) return true;
    return false;
  }
}

/**
 * Searches text, in any chunks, for the end of reasoning that the text did not begin. It counts at the start
 * or end of a line, outside code fences and block quotes: a tag in inline code or quotation marks is at neither.
 */
export class OrphanEndSearch {
  readonly #known: OrphanEnds;
  readonly #fence = new FenceState();
  /** Where `#tail` begins; everything counts, skipped source as well. */
  #offset = 0;
  /** The beginning of what may become an end. */
  #tail = '';
  /** Whether the line has only space so far, or a block ended just before. */
  #isLineStart = true;
  #isQuote = false;
  /** An end with text before it; it counts if only space follows on its line. */
  #pending: FoundEnd | undefined;

  constructor(known: OrphanEnds) {
    this.#known = known;
  }

  /** Reads the next text. Returns the first end that counts. */
  read(chunk: string): FoundEnd | undefined {
    const text = this.#tail === '' ? chunk : this.#tail + chunk;
    this.#tail = '';
    const isPlain = !this.#known.firsts.some((first) => text.includes(first));
    const places: number[] = [];
    let from = 0;
    for (;;) {
      const found = isPlain ? undefined : this.#next(text, from, places);
      const stop = found?.at ?? (isPlain ? text.length : this.#partialAt(text, from));
      const ended = this.#pass(text, from, stop);
      if (ended !== undefined) return ended;
      if (found === undefined) {
        this.#offset += stop;
        this.#tail = text.slice(stop);
        return undefined;
      }
      from = stop + found.end.text.length;
      const isCounted = !this.#fence.isOpen && !this.#isQuote;
      this.#fence.read(text, stop, from);
      const placed = { end: found.end, at: this.#offset + stop };
      if (isCounted && this.#isLineStart) return placed;
      this.#pending = isCounted ? placed : undefined;
      this.#isLineStart = false;
    }
  }

  /** A call or markup of `length` characters follows. Returns the end that the text before it ended in. */
  skipBlock(length: number): FoundEnd | undefined {
    const found = this.end();
    this.#pending = undefined;
    this.#isLineStart = true;
    this.#fence.endBlock();
    this.#offset += length;
    return found;
  }

  /** Nothing follows on the line. Returns the end that it ended in. */
  end(): FoundEnd | undefined {
    const tail = this.#tail;
    this.#tail = '';
    const ended = this.#pass(tail, 0, tail.length);
    this.#offset += tail.length;
    return ended ?? this.#pending;
  }

  /** Passes text without an end. Returns the end before it if its line is over. */
  #pass(text: string, from: number, to: number): FoundEnd | undefined {
    if (to <= from) return undefined;
    for (let at = from; at < to && this.#pending !== undefined; at++) {
      const code = text.charCodeAt(at);
      if (code === NEWLINE) return this.#pending;
      if (!isSpace(code)) this.#pending = undefined;
    }
    this.#fence.read(text, from, to);
    // Sliced, as the search would go on to the start of the text.
    const newline = from + text.slice(from, to).lastIndexOf('\n');
    if (newline >= from) {
      this.#isLineStart = true;
      this.#isQuote = false;
    }
    for (let at = Math.max(from, newline + 1); at < to && this.#isLineStart; at++) {
      const code = text.charCodeAt(at);
      if (isSpace(code)) continue;
      this.#isLineStart = false;
      this.#isQuote ||= code === GREATER_THAN;
    }
    return undefined;
  }

  /** The next end at or after `from`; `places` remembers where each of them is. */
  #next(text: string, from: number, places: number[]): FoundEnd | undefined {
    let first: FoundEnd | undefined;
    for (const [index, end] of this.#known.ends.entries()) {
      let at = places[index] ?? NOT_SEARCHED;
      if (at < from && at !== NONE) at = places[index] = text.indexOf(end.text, from);
      if (at !== NONE && (first === undefined || at < first.at)) first = { end, at };
    }
    return first;
  }

  /** Where the end of `text` may be the beginning of an end. */
  #partialAt(text: string, from: number): number {
    const { ends, firsts, longest } = this.#known;
    for (let at = Math.max(from, text.length - longest + 1); at < text.length; at++) {
      if (!firsts.includes(text.charAt(at))) continue;
      const rest = text.slice(at);
      if (ends.some((end) => end.text.startsWith(rest))) return at;
    }
    return text.length;
  }
}
