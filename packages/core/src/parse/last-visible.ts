import { isSpace } from './json/char-code.ts';

/** The last two characters of `before` and `text[from…to]` together that are no space. */
export function lastVisible(before: string, text: string, from: number, to: number): string {
  let found = '';
  for (let at = to - 1; at >= from && found.length < 2; at--) {
    if (!isSpace(text.charCodeAt(at))) found = text.charAt(at) + found;
  }
  return found.length === 2 ? found : (before + found).slice(-2);
}
