import { NEWLINE, SPACE, TAB } from './json/char-code.ts';

const FENCE = '```';

/** Tells of each place in a text, asked for from left to right, whether it lies inside a code fence. */
export class FenceSearch {
  readonly #text: string;
  #isOpen: boolean;
  /** The next fence that was not passed, or -1 when there is none; undefined before it is searched for. */
  #next: number | undefined;
  #from = 0;
  /** Where the text to search begins, and whether a line begins there. */
  #start = 0;
  #isLineStart: boolean;

  constructor(text: string, isOpen: boolean, isLineStart: boolean) {
    this.#text = text;
    this.#isOpen = isOpen;
    this.#isLineStart = isLineStart;
  }

  isOpenAt(at: number): boolean {
    for (;;) {
      this.#next ??= this.#text.indexOf(FENCE, this.#from);
      if (this.#next < 0 || this.#next >= at) return this.#isOpen;
      if (beginsLine(this.#text, this.#next, this.#start, this.#isLineStart))
        this.#isOpen = !this.#isOpen;
      this.#from = this.#next + FENCE.length;
      this.#next = undefined;
    }
  }

  /** Goes on at `start`, behind a block: fences in it are its own. */
  restart(start: number, isOpen: boolean, isLineStart: boolean): void {
    this.#isOpen = isOpen;
    this.#isLineStart = isLineStart;
    this.#start = start;
    this.#from = start;
    this.#next = undefined;
  }
}

/** Whether a fence is open behind `text`; `isOpen` and `isLineStart` say what came before it. */
export function fenceStateAfter(text: string, isOpen: boolean, isLineStart: boolean): boolean {
  let result = isOpen;
  for (let at = text.indexOf(FENCE); at >= 0; at = text.indexOf(FENCE, at + FENCE.length))
    if (beginsLine(text, at, 0, isLineStart)) result = !result;
  return result;
}

/** Whether only space stands between `at` and the beginning of its line, or `start`, if a line begins there. */
function beginsLine(text: string, at: number, start: number, isStartLineStart: boolean): boolean {
  for (let before = at - 1; before >= start; before--) {
    const code = text.charCodeAt(before);
    if (code === NEWLINE) return true;
    if (code !== SPACE && code !== TAB) return false;
  }
  return isStartLineStart;
}
