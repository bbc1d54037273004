import { isQuote, skipSpace } from '../json/char-code.ts';

/** What the beginning of an object says. */
export interface CallBeginning {
  /** Keys a call may have, besides its arguments. */
  readonly keys: ReadonlySet<string>;
  readonly nameKeys: ReadonlySet<string>;
  /** Whether a name settles it: `yes`, `no`, or go on looking. */
  readonly judgeName: (name: string) => 'yes' | 'no' | 'maybe';
  /** Whether quotes that are not JSON's are no reason to let it go. */
  readonly allowsOddQuotes: boolean;
}

/** No name is further away. */
const LIMIT = 160;

/**
 * Whether the object at `at`, in a list or not, can be a call, as far as its first keys and strings tell.
 * JSON that cannot is let go at once, so that an answer in JSON is not held back until its end.
 */
export function beginsLikeCall(
  text: string,
  at: number,
  beginning: CallBeginning,
): 'yes' | 'no' | 'unclear' {
  // The window counts from the bracket, so that it ends in the same place however the text arrives.
  const window = text.slice(at, at + LIMIT);
  const verdict = look(window, beginning);
  return verdict === 'unclear' && window.length === LIMIT ? 'no' : verdict;
}

function look(text: string, beginning: CallBeginning): 'yes' | 'no' | 'unclear' {
  let at = text.startsWith('[') ? skipSpace(text, 1) : 0;
  for (;;) {
    // A brace or a comma, then a key.
    at = skipSpace(text, at + 1);
    const isQuoted = isQuote(text.charCodeAt(at));
    if (isQuoted && text.charAt(at) !== '"' && !beginning.allowsOddQuotes) return 'no';
    if (isQuoted) at++;
    let end = at;
    while (end < text.length && isKeyCharacter(text.charCodeAt(end))) end++;
    const key = text.slice(at, end);
    if (isQuote(text.charCodeAt(end))) end++;
    at = skipSpace(text, end);
    if (at >= text.length) return 'unclear';
    if (text.charAt(at) !== ':') return 'no';
    at = skipSpace(text, at + 1);
    if (at >= text.length) return 'unclear';
    if (!beginning.keys.has(key)) return 'no';
    if (text.charAt(at) !== '"') return 'yes';
    const close = text.indexOf('"', at + 1);
    if (close < 0) return 'unclear';
    const value = text.slice(at + 1, close);
    if (value.includes('\\')) return 'yes';
    const verdict = beginning.nameKeys.has(key) ? beginning.judgeName(value) : 'maybe';
    if (verdict !== 'maybe') return verdict;
    at = skipSpace(text, close + 1);
    if (at >= text.length) return 'unclear';
    if (text.charAt(at) !== ',') return 'yes';
  }
}

function isKeyCharacter(code: number): boolean {
  const isLetter = (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a);
  return isLetter || (code >= 0x30 && code <= 0x39) || code === 0x5f;
}
