import { BACKSLASH, DOUBLE_QUOTE } from './char-code.ts';
import { readEscape } from './escape.ts';
import type { Escape } from './escape.ts';

/** The escape at `\\\\…`, in a document escaped once too often: what is left when one level is taken off. */
export function readDoubledEscape(
  text: string,
  at: number,
): Pick<Escape, 'text' | 'length'> | undefined {
  if (text.charCodeAt(at + 2) !== BACKSLASH) {
    const escape = readEscape(text, at + 1, DOUBLE_QUOTE, true);
    return escape === undefined ? undefined : { text: escape.text, length: escape.length + 1 };
  }
  const code = text.charCodeAt(at + 3);
  if (code === DOUBLE_QUOTE || code === BACKSLASH) return { text: text.charAt(at + 3), length: 4 };
  return { text: '\\', length: 2 };
}
