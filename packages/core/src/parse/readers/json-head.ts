import { isQuote, skipSpace } from '../json/char-code.ts';
import type { FindHead } from './headed-reader.ts';

export interface JsonHeadOptions {
  /** Keys the first object may begin with: JSON that begins otherwise is let go at once. */
  readonly firstKeys: ReadonlySet<string>;
  /** The brackets it may begin with. */
  readonly brackets: readonly string[];
  /** What the value of that key may begin with. @defaultValue anything */
  readonly valueStarts?: string;
  /** Whether the JSON stands in a Markdown fence. @defaultValue false */
  readonly isFenced?: boolean;
}

/** How much text may come before that is known. */
const HEAD_LIMIT = 120;

/** Finds JSON that begins as a call can. */
export function jsonHead(options: JsonHeadOptions): FindHead {
  return (text, from) => {
    const head = locateHead(text, from, options);
    // The limit counts from the opening, so that it falls in the same place however the text arrives.
    const reached =
      typeof head === 'object' ? head.keyEnd : head === 'unclear' ? text.length : from;
    if (reached - from > HEAD_LIMIT) return 'no';
    return typeof head === 'object' ? head.at : head;
  };
}

interface Head {
  /** Where the JSON begins. */
  readonly at: number;
  readonly keyEnd: number;
}

function locateHead(text: string, from: number, options: JsonHeadOptions): Head | 'no' | 'unclear' {
  const { brackets, firstKeys } = options;
  let at = from;
  if (options.isFenced === true) {
    while (at < text.length && isLanguageLetter(text.charCodeAt(at))) at++;
    const lineEnd = skipSpace(text, at);
    if (lineEnd >= text.length) return 'unclear';
    if (!text.slice(at, lineEnd).includes('\n')) return 'no';
    at = lineEnd;
  }
  const start = at;
  if (at >= text.length) return 'unclear';
  if (!brackets.includes(text.charAt(at))) return 'no';
  if (text.charAt(at) === '[') at = skipSpace(text, at + 1);
  if (at >= text.length) return 'unclear';
  if (text.charAt(at) !== '{') return 'no';
  at = skipSpace(text, at + 1);
  if (at >= text.length) return 'unclear';
  if (isQuote(text.charCodeAt(at))) at++;
  let end = at;
  while (end < text.length && isKeyLetter(text.charCodeAt(end))) end++;
  if (end >= text.length) return mayBecomeKey(text.slice(at), firstKeys) ? 'unclear' : 'no';
  if (!firstKeys.has(text.slice(at, end))) return 'no';
  const { valueStarts } = options;
  if (valueStarts === undefined) return { at: start, keyEnd: end };
  if (isQuote(text.charCodeAt(end))) end++;
  end = skipSpace(text, end);
  if (end < text.length && text.charAt(end) !== ':') return 'no';
  end = skipSpace(text, end + 1);
  if (end >= text.length) return 'unclear';
  return valueStarts.includes(text.charAt(end)) ? { at: start, keyEnd: end } : 'no';
}

function mayBecomeKey(prefix: string, keys: ReadonlySet<string>): boolean {
  for (const key of keys) if (key.startsWith(prefix)) return true;
  return false;
}

function isKeyLetter(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || code === 0x5f;
}

function isLanguageLetter(code: number): boolean {
  const isOther = code === 0x2d || (code >= 0x30 && code <= 0x39) || (code >= 0x41 && code <= 0x5a);
  return isKeyLetter(code) || isOther;
}
