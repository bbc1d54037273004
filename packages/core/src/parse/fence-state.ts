import { BACKTICK, NEWLINE, SPACE, TAB } from './json/char-code.ts';

/** How many backticks at the beginning of a line open or close a code fence. */
const FENCE_TICKS = 3;
const NONE = Number.POSITIVE_INFINITY;

/** Tracks whether a text, read from left to right in any pieces, has come to lie inside a code fence. */
export class FenceState {
  isOpen = false;
  /** Whether only space and backticks stand on the line so far. */
  #isLineStart = true;
  #ticks = 0;

  copyFrom(other: FenceState): void {
    this.isOpen = other.isOpen;
    this.#isLineStart = other.#isLineStart;
    this.#ticks = other.#ticks;
  }

  /** A block has ended: what follows it may begin a fence. */
  endBlock(): void {
    this.#isLineStart = true;
    this.#ticks = 0;
  }

  /** Reads `text` from `from` to `to`. Returns where its next line ends, so that it is searched for once. */
  read(text: string, from: number, to: number, knownNewline = -1): number {
    let newline = knownNewline;
    for (let at = from; at < to;) {
      if (this.#isLineStart) {
        const code = text.charCodeAt(at);
        if (code === BACKTICK) this.#addTick();
        else if (code === NEWLINE) this.endBlock();
        else if (this.#ticks > 0 || (code !== SPACE && code !== TAB)) this.#isLineStart = false;
        at++;
        continue;
      }
      if (newline < at) {
        const found = text.indexOf('\n', at);
        newline = found < 0 ? NONE : found;
      }
      if (newline >= to) break;
      at = newline + 1;
      this.endBlock();
    }
    return newline;
  }

  #addTick(): void {
    this.#ticks++;
    if (this.#ticks === FENCE_TICKS) this.isOpen = !this.isOpen;
  }
}

/** Tracks the same for places in one text, which must be requested from left to right. */
export class FenceSearch {
  readonly #text: string;
  readonly #before: FenceState;
  readonly #state = new FenceState();
  #at = 0;
  #newline = -1;

  /** `before` is the state before the text, kept up to date by its owner, and read again at each `restart`. */
  constructor(text: string, before: FenceState) {
    this.#text = text;
    this.#before = before;
    this.#state.copyFrom(before);
  }

  isOpenAt(at: number): boolean {
    this.#newline = this.#state.read(this.#text, this.#at, at, this.#newline);
    this.#at = Math.max(this.#at, at);
    return this.#state.isOpen;
  }

  /** Goes on at `at`, up to which everything was passed on. */
  restart(at: number): void {
    this.#state.copyFrom(this.#before);
    this.#at = at;
  }
}
