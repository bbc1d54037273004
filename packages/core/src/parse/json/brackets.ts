import {
  CLOSE_BRACE,
  CLOSE_BRACKET,
  CLOSE_PAREN,
  isSpace,
  OPEN_BRACE,
  OPEN_BRACKET,
  OPEN_PAREN,
} from './char-code.ts';

/** How many brackets `text` opens more than it closes. */
export function openBrackets(text: string): number {
  let open = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === OPEN_BRACE || code === OPEN_BRACKET) open++;
    else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) open--;
  }
  return open;
}

/** Whether `text` closes a bracket that it did not open, or leaves a brace open. */
export function hasStrayBrackets(text: string, countsParentheses = false): boolean {
  let open = 0;
  let openBraces = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === OPEN_BRACE || code === OPEN_BRACKET) open++;
    else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) open--;
    else if (countsParentheses && code === OPEN_PAREN) open++;
    else if (countsParentheses && code === CLOSE_PAREN) open--;
    if (code === OPEN_BRACE) openBraces++;
    else if (code === CLOSE_BRACE) openBraces--;
    if (open < 0) return true;
  }
  return countsParentheses ? open > 0 : openBraces > 0;
}

/** Whether only closing brackets and space follow from `from` on. */
export function isOnlyClosers(text: string, from: number): boolean {
  return countClosers(text, from) > 0 && text.length - from - trailingClosers(text) <= 0;
}

export function countClosers(text: string, from: number): number {
  let count = 0;
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === CLOSE_BRACE || code === CLOSE_BRACKET) count++;
  }
  return count;
}

/** How many characters at the end of `text` are closing brackets and the space among them. */
export function trailingClosers(text: string): number {
  let at = text.length;
  while (at > 0) {
    const code = text.charCodeAt(at - 1);
    if (code !== CLOSE_BRACE && code !== CLOSE_BRACKET && !isSpace(code)) break;
    at--;
  }
  return countClosers(text, at) > 0 ? text.length - at : 0;
}
