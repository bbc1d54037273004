import { isSpace } from './json/char-code.ts';

/** The characters that openings begin with. */
export interface Beginnings {
  /** Finds one that counts wherever it stands. */
  readonly anywhere: RegExp;
  /** Letters, by their codes: they count only where a line begins. Undefined when there are none. */
  readonly atLineStart: readonly boolean[] | undefined;
}

/** So that no index is behind it. */
const NONE = Number.POSITIVE_INFINITY;
const NEWLINE = 0x0a;
const SPACE = 0x20;
const TAB = 0x09;

/**
 * Searches a text for what can begin an opening, further on each time. Characters and lines are looked for
 * apart: one regex for both takes half as long again, as it leaves its inner loop at every end of a line. What
 * was found stays found: a flood of one kind must not search the rest of the text for the other each time.
 */
export class OpeningSearch {
  readonly #text: string;
  readonly #beginnings: Beginnings;
  /** The next character that counts anywhere. */
  #character = -1;
  /** The next end of a line that is not searched yet, or that `#letter` follows. */
  #newline = -1;
  /** The next letter at the start of a line. */
  #letter = NONE;

  constructor(text: string, beginnings: Beginnings) {
    this.#text = text;
    this.#beginnings = beginnings;
  }

  /** The next index at or after `from` where an opening may stand, or -1. `isLineStart` says that `from` is one. */
  next(from: number, isLineStart: boolean): number {
    const { anywhere, atLineStart } = this.#beginnings;
    if (isLineStart && atLineStart !== undefined) {
      let at = from;
      while (at < this.#text.length && isSpace(this.#text.charCodeAt(at))) at++;
      if (atLineStart[this.#text.charCodeAt(at)] === true) return at;
    }
    if (this.#character < from) {
      anywhere.lastIndex = from;
      this.#character = anywhere.test(this.#text) ? anywhere.lastIndex - 1 : NONE;
    }
    if (atLineStart !== undefined) this.#findLetter(from, atLineStart);
    const next = Math.min(this.#character, this.#letter);
    return next === NONE ? -1 : next;
  }

  /** Looks at the lines from `from` on that end before the next character that counts anywhere. */
  #findLetter(from: number, atLineStart: readonly boolean[]): void {
    if (this.#newline >= from && this.#letter !== NONE) return;
    const text = this.#text;
    const stop = this.#character;
    let newline = this.#newline < from ? newlineFrom(text, from) : this.#newline;
    let letter = NONE;
    while (newline < stop) {
      let at = newline + 1;
      let code = text.charCodeAt(at);
      while (code === SPACE || code === TAB) code = text.charCodeAt(++at);
      if (atLineStart[code] === true) {
        letter = at;
        break;
      }
      newline = code === NEWLINE ? at : newlineFrom(text, at);
    }
    this.#newline = newline;
    this.#letter = letter;
  }
}

function newlineFrom(text: string, from: number): number {
  const at = text.indexOf('\n', from);
  return at === -1 ? NONE : at;
}
