import { isLiteral } from './bare-word.ts';
import {
  CLOSE_BRACE,
  CLOSE_BRACKET,
  CLOSE_PAREN,
  COMMA,
  DOT,
  FULLWIDTH_COMMA,
  HASH,
  isQuote,
  isSpace,
  NEWLINE,
  OPEN_BRACE,
  PLUS,
  SEMICOLON,
  SLASH,
  SPACE,
} from './char-code.ts';
import { isCloser, isColon, startsEitherMarker } from './string-end.ts';
import type { Markers } from './string-end.ts';

/** What a read returns when the text ran out inside the word. */
export const WORD_GOES_ON = -1;

/** No number or literal that a semicolon ends is longer; looking at longer words would cost their length each time. */
const LONGEST_LITERAL = 64;
const MINUS = 0x2d;
const UPPER_E = 0x45;

/** Reads an unquoted key or value, over any number of chunks. */
export class WordReader {
  word = '';
  /** How much of the text given is done with when a read returns `WORD_GOES_ON`. */
  consumed = 0;
  /** Whether it may be a number or a literal as JSON has them, and the space behind it. */
  isClean = true;
  /** The last character of `word`; asking `word` itself would cost its length each time. */
  #last = 0;

  /** `start` is what was read of it already. */
  begin(start: string): void {
    this.word = start;
    this.isClean = start === '';
    this.#last = start.charCodeAt(0);
  }

  /** Reads on from `text[at]`. Returns the index of what ends the key. */
  readKey(text: string, at: number): number {
    let end = at;
    while (end < text.length && !endsKey(text.charCodeAt(end))) end++;
    return this.#take(text, at, end, end < text.length);
  }

  /** Reads on from `text[at]`. Returns the index of what ends the value. */
  readValue(text: string, at: number, markers: Markers, inTuple: boolean, ending: boolean): number {
    const markerCode = markers.endMarker.charCodeAt(0);
    const nextCode = markers.nextMarker.charCodeAt(0);
    let end = at;
    for (; end < text.length; end++) {
      const code = text.charCodeAt(end);
      if (isPlain(code) && code !== markerCode && code !== nextCode) continue;
      if (code === COMMA || code === CLOSE_BRACE || code === CLOSE_BRACKET || code === NEWLINE)
        break;
      if (code === FULLWIDTH_COMMA || (code === CLOSE_PAREN && inTuple)) break;
      if (isQuote(code)) break;
      if (code === SEMICOLON && this.#isLiteral(text, at, end)) break;
      if ((code === SLASH || code === HASH) && isSpace(this.#codeBefore(text, at, end))) break;
      const marker = startsEitherMarker(text, end, markers, ending);
      if (marker === 'ends') break;
      if (marker === 'unclear') return this.#take(text, at, end, false);
      this.isClean &&= isOfJson(code);
    }
    return this.#take(text, at, end, end < text.length);
  }

  #take(text: string, at: number, end: number, isWhole: boolean): number {
    if (end > at) {
      this.word += text.slice(at, end);
      this.#last = text.charCodeAt(end - 1);
    }
    if (isWhole) return end;
    this.consumed = end;
    return WORD_GOES_ON;
  }

  /** Whether the word up to `end` is a number or a literal. */
  #isLiteral(text: string, at: number, end: number): boolean {
    if (this.word.length + end - at > LONGEST_LITERAL) return false;
    return isLiteral((this.word + text.slice(at, end)).trim());
  }

  #codeBefore(text: string, at: number, end: number): number {
    return end > at ? text.charCodeAt(end - 1) : this.#last;
  }
}

/** What numbers and literals are made of. */
function isPlain(code: number): boolean {
  return (code >= 0x30 && code <= 0x39) || (code >= 0x61 && code <= 0x7a) || code === DOT;
}

/** What stands in numbers besides, and the space that JSON has. */
function isOfJson(code: number): boolean {
  return code === PLUS || code === MINUS || code === UPPER_E || (code <= SPACE && isSpace(code));
}

function endsKey(code: number): boolean {
  return (
    isColon(code) ||
    isSpace(code) ||
    isQuote(code) ||
    isCloser(code) ||
    code === COMMA ||
    code === FULLWIDTH_COMMA ||
    code === OPEN_BRACE
  );
}
