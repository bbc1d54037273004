/**
 * Characters that make a terminal do something other than show a character: controls (escape sequences
 * begin with one), marks that reorder what is shown, invisible ones, and halves of surrogate pairs. Tab and
 * line feed are left as they are.
 */
const UNSAFE =
  /[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\p{Cs}]/gu;

/** Text from outside, safe to show on a terminal: what is unsafe is named, as in `<U+001B>`. */
export function safeText(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replace(UNSAFE, (character) => `<U+${hex(character).toUpperCase()}>`);
}

/** `safeText` on one line. */
export function safeLine(text: string): string {
  return safeText(text).replaceAll('\n', '\\n').replaceAll('\t', '\\t');
}

/** JSON that is safe on a terminal: what is unsafe stands only in strings, where an escape means the same. */
export function safeJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, undefined, indent).replace(
    UNSAFE,
    (character) => `\\u${hex(character)}`,
  );
}

function hex(character: string): string {
  return character.charCodeAt(0).toString(16).padStart(4, '0');
}
