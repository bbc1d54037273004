import { BACKTICK } from '../json/char-code.ts';
import { endsSentence, isLetter } from './sentence-character.ts';

/** A longer line is data: what begins on it is not part of a sentence or of inline code. */
const LONGEST_LINE = 65_536;
const BLOCK_QUOTE = /^[ \t]*>/;
const HEAD = 8;

/** The text before a call on its line. It is looked at only where there is a call, and once. */
export class LineBefore {
  /** How many backticks opened the inline code that the line ends in; 0 outside inline code. */
  ticks = 0;
  /** Whether the line ends in a sentence that has begun. */
  isMidSentence = false;
  #length = 0;
  #head = '';
  /** What was not looked at yet. */
  #ahead = '';
  #run = 0;

  get isEmpty(): boolean {
    return this.#length === 0;
  }

  get isBlockQuote(): boolean {
    return BLOCK_QUOTE.test(this.#head);
  }

  append(text: string): void {
    const newline = text.lastIndexOf('\n');
    if (newline >= 0) this.begin();
    const part = newline < 0 ? text : text.slice(newline + 1);
    if (this.#head.length < HEAD) this.#head = (this.#head + part).slice(0, HEAD);
    this.#length += part.length;
    this.#ahead = this.#length > LONGEST_LINE ? '' : this.#ahead + part;
  }

  /** A new line begins. */
  begin(): void {
    this.#length = 0;
    this.#head = '';
    this.#ahead = '';
    this.#run = 0;
    this.ticks = 0;
    this.isMidSentence = false;
  }

  /** Looks at what came since the last time. */
  read(): void {
    const text = this.#ahead;
    this.#ahead = '';
    for (let at = 0; at < text.length; at++) {
      if (text.charCodeAt(at) === BACKTICK) {
        this.#run++;
        continue;
      }
      this.#endRun();
      const character = text.charAt(at);
      if (isLetter(character)) this.isMidSentence = true;
      else if (endsSentence(character)) this.isMidSentence = false;
    }
    this.#endRun();
    if (this.#length <= LONGEST_LINE) return;
    this.ticks = 0;
    this.isMidSentence = false;
  }

  #endRun(): void {
    if (this.#run === 0) return;
    if (this.ticks === 0) this.ticks = this.#run;
    else if (this.ticks === this.#run) this.ticks = 0;
    this.#run = 0;
  }
}
