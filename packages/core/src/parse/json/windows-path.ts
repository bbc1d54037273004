import { BACKSLASH, COMMA, DOUBLE_QUOTE, isWord, skipSpace } from './char-code.ts';
import { isColon } from './string-end.ts';

/** `C:` or nothing yet, then a backslash: the beginning of `C:\…` or `\\server\…`. */
export function mayStartPath(before: string, afterBackslash: number): boolean {
  // Looking at the length first keeps a long string, built by appending, from being flattened.
  if (before.length > 2) return false;
  if (afterBackslash === BACKSLASH) return before === '';
  return /^[A-Za-z]:$/.test(before);
}

/**
 * Whether the `\"` before `from` is a path's last backslash and the end of the string: only where a
 * comma and the next key follow, which an escaped quote inside valid JSON never has after it.
 */
export function closesPath(text: string, from: number, ending: boolean): boolean | undefined {
  let at = skipSpace(text, from);
  if (at - from > 32) return false;
  if (at >= text.length) return ending ? false : undefined;
  if (text.charCodeAt(at) !== COMMA) return false;
  at = skipSpace(text, at + 1);
  if (at - from > 64) return false;
  if (at >= text.length) return ending ? false : undefined;
  if (text.charCodeAt(at) !== DOUBLE_QUOTE) return false;
  let end = at + 1;
  while (end < text.length && end - at < 80 && isWord(text.charCodeAt(end))) end++;
  if (end === at + 1 && end < text.length) return false;
  if (end >= text.length) return ending ? false : undefined;
  if (text.charCodeAt(end) !== DOUBLE_QUOTE) return false;
  const after = skipSpace(text, end + 1);
  if (after - end > 32) return false;
  if (after >= text.length) return ending ? false : undefined;
  return isColon(text.charCodeAt(after));
}
