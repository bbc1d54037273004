/** UTF-16 code units the readers branch on, by name. */
export const TAB = 0x09;
export const NEWLINE = 0x0a;
export const RETURN = 0x0d;
export const SPACE = 0x20;
export const DOUBLE_QUOTE = 0x22;
export const HASH = 0x23;
export const AMPERSAND = 0x26;
export const SINGLE_QUOTE = 0x27;
export const OPEN_PAREN = 0x28;
export const CLOSE_PAREN = 0x29;
export const ASTERISK = 0x2a;
export const PLUS = 0x2b;
export const COMMA = 0x2c;
export const DOT = 0x2e;
export const SLASH = 0x2f;
export const COLON = 0x3a;
export const SEMICOLON = 0x3b;
export const EQUALS = 0x3d;
export const GREATER_THAN = 0x3e;
export const OPEN_BRACKET = 0x5b;
export const BACKSLASH = 0x5c;
export const CLOSE_BRACKET = 0x5d;
export const BACKTICK = 0x60;
export const LOWER_U = 0x75;
export const OPEN_BRACE = 0x7b;
export const CLOSE_BRACE = 0x7d;
export const NO_BREAK_SPACE = 0xa0;
export const LEFT_GUILLEMET = 0xab;
export const RIGHT_GUILLEMET = 0xbb;
export const LEFT_SINGLE_QUOTE = 0x2018;
export const RIGHT_SINGLE_QUOTE = 0x2019;
export const LEFT_DOUBLE_QUOTE = 0x201c;
export const RIGHT_DOUBLE_QUOTE = 0x201d;
export const BYTE_ORDER_MARK = 0xfeff;
export const FULLWIDTH_COMMA = 0xff0c;
export const FULLWIDTH_COLON = 0xff1a;

export function isSpace(code: number): boolean {
  if (code > SPACE && code < NO_BREAK_SPACE) return false;
  return (
    code === SPACE ||
    code === NEWLINE ||
    code === RETURN ||
    code === TAB ||
    code === NO_BREAK_SPACE ||
    code === BYTE_ORDER_MARK
  );
}

/** Space that does not end a line. */
export function isInlineSpace(code: number): boolean {
  return isSpace(code) && code !== NEWLINE && code !== RETURN;
}

export function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

/** A letter, digit, `_`, `$` or anything beyond ASCII that is not punctuation we give a meaning to. */
export function isWord(code: number): boolean {
  return (
    (code >= 0x61 && code <= 0x7a) ||
    (code >= 0x41 && code <= 0x5a) ||
    (code >= 0x30 && code <= 0x39) ||
    code === 0x5f ||
    code === 0x24 ||
    (code > 0x7f &&
      !isSpace(code) &&
      !isQuote(code) &&
      code !== FULLWIDTH_COMMA &&
      code !== FULLWIDTH_COLON)
  );
}

/** Any character a model opens a string with. */
export function isQuote(code: number): boolean {
  if (code < 0x80) return code === DOUBLE_QUOTE || code === SINGLE_QUOTE || code === BACKTICK;
  return (
    code === LEFT_DOUBLE_QUOTE ||
    code === RIGHT_DOUBLE_QUOTE ||
    code === LEFT_SINGLE_QUOTE ||
    code === RIGHT_SINGLE_QUOTE ||
    code === LEFT_GUILLEMET ||
    code === RIGHT_GUILLEMET
  );
}

/** The index of the first non-space at or after `from`; `text.length` when there is none. */
export function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && isSpace(text.charCodeAt(at))) at++;
  return at;
}

/** The punctuation of JSON, but for quotes. */
export function isPunctuation(code: number): boolean {
  return (
    code === COMMA ||
    code === COLON ||
    code === OPEN_BRACE ||
    code === CLOSE_BRACE ||
    code === OPEN_BRACKET ||
    code === CLOSE_BRACKET
  );
}
