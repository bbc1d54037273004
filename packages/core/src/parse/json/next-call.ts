import { ARGUMENT_KEYS, NAME_KEYS } from '../call-keys.ts';
import { trailingClosers } from './brackets.ts';
import {
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COMMA,
  GREATER_THAN,
  isQuote,
  isSpace,
  isWord,
  OPEN_BRACE,
  SEMICOLON,
  skipSpace,
} from './char-code.ts';

/** How far to look for the arguments behind the name. */
const WINDOW = 256;
const NAMES: ReadonlySet<string> = new Set(NAME_KEYS);
const ARGUMENTS: ReadonlySet<string> = new Set(ARGUMENT_KEYS);
const ABOUT: ReadonlySet<string> = new Set(['id', 'type', 'index', 'call_id', 'tool_call_id']);

/**
 * Whether the members that begin at `from`, after the brace, are those of a call: a name, then arguments.
 * `unclear` while more text is needed.
 */
export function callBeginsAt(
  text: string,
  from: number,
  ending: boolean,
): 'yes' | 'no' | 'unclear' {
  // The window counts from the brace, so that it ends in the same place for every chunking.
  const isCut = text.length - from < WINDOW;
  const verdict = readMembers(text.slice(from, from + WINDOW));
  return verdict === 'unclear' && (ending || !isCut) ? 'no' : verdict;
}

function readMembers(text: string): 'yes' | 'no' | 'unclear' {
  let hasName = false;
  for (let at = skipSpace(text, 0); at < text.length; at = skipSpace(text, at + 1)) {
    const keyEnd = wordEnd(text, at);
    if (keyEnd >= text.length) return 'unclear';
    const key = unquoted(text.slice(at, keyEnd));
    const isArguments = hasName && ARGUMENTS.has(key);
    if (!isArguments && !NAMES.has(key) && !ABOUT.has(key)) return 'no';
    at = skipSpace(text, keyEnd);
    if (at >= text.length) return 'unclear';
    if (text.charAt(at) !== ':') return 'no';
    if (isArguments) return 'yes';
    at = skipSpace(text, at + 1);
    if (at >= text.length) return 'unclear';
    if (key === 'function' && text.charCodeAt(at) === OPEN_BRACE) return 'yes';
    const valueEnd = wordEnd(text, at);
    if (valueEnd === at) return 'no';
    hasName ||= NAMES.has(key);
    at = skipSpace(text, valueEnd);
    if (at >= text.length) return 'unclear';
    if (text.charAt(at) !== ',') return 'no';
  }
  return 'unclear';
}

/** Longer than any key that calls have. */
export const LONGEST_CALL_KEY = 16;

/** Whether the last word of `text` is a key that calls have. */
export function endsInCallKey(text: string): boolean {
  let at = text.length;
  while (at > 0 && isWord(text.charCodeAt(at - 1))) at--;
  const word = text.slice(at);
  return NAMES.has(word) || ARGUMENTS.has(word);
}

/** Where the string or word at `at` ends; the length of the text while it goes on. */
function wordEnd(text: string, at: number): number {
  const first = text.charAt(at);
  if (isQuote(first.charCodeAt(0))) {
    const close = text.indexOf(first, at + 1);
    return close < 0 ? text.length : close + 1;
  }
  let end = at;
  while (end < text.length && isWord(text.charCodeAt(end))) end++;
  return end;
}

function unquoted(word: string): string {
  return isQuote(word.charCodeAt(0)) ? word.slice(1, -1) : word;
}

/** Remembers what a growing text ends in: a text made of pieces is too costly to look into. */
export class CallTrail {
  /** The last character that is no space; where that is `{`, also the one before it. */
  #last = -1;
  #beforeBrace = -1;

  /** Whether the text ends in a brace that follows the end of something. */
  get mayFollowCall(): boolean {
    const before = this.#beforeBrace;
    const isCloser = before === CLOSE_BRACE || before === CLOSE_BRACKET;
    const isMarkup = before === GREATER_THAN;
    return this.#last === OPEN_BRACE && (isCloser || isMarkup || isBetweenCalls(before));
  }

  clear(): void {
    this.#last = -1;
    this.#beforeBrace = -1;
  }

  see(piece: string): void {
    let at = lastVisible(piece, piece.length);
    if (at < 0) return;
    const before = this.#last;
    this.#last = piece.charCodeAt(at);
    if (this.#last !== OPEN_BRACE) return;
    at = lastVisible(piece, at);
    this.#beforeBrace = at < 0 ? before : piece.charCodeAt(at);
  }
}

/** What stands before the last brace of `text`, without the closing brackets of a call and its `quote`. */
export function endOfCall(
  text: string,
  quote: number,
): { brace: number; end: number; isQuoted: boolean } {
  const brace = text.lastIndexOf('{');
  let end = brace;
  while (end > 0 && isBetweenCalls(text.charCodeAt(end - 1))) end--;
  end -= trailingClosers(text.slice(0, end));
  const isQuoted = text.charCodeAt(end - 1) === quote;
  return { brace, end: isQuoted ? end - 1 : end, isQuoted };
}

/** Space and separators. */
function isBetweenCalls(code: number): boolean {
  return isSpace(code) || code === COMMA || code === SEMICOLON;
}

/** The index of the last character before `end` that is no space, or -1. */
function lastVisible(text: string, end: number): number {
  let at = end - 1;
  while (at >= 0 && isSpace(text.charCodeAt(at))) at--;
  return at;
}
