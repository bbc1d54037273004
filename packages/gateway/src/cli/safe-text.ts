/**
 * Characters that make a terminal do something other than show a character: controls (escape sequences
 * begin with one), marks that reorder what is shown, invisible ones, among them the tags and selectors in which
 * whole sentences can be hidden, and halves of surrogate pairs. Tab and line feed are left as they are, and so are
 * the joiners of scripts and of emoji.
 */
const UNSAFE =
  /[\0-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e01ef}\p{Cs}]/gu;

/** Text from outside, safe to show on a terminal: what is unsafe is named, as in `<U+001B>`. */
export function safeText(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replace(UNSAFE, (character) => `<U+${hex(character.codePointAt(0) ?? 0).toUpperCase()}>`);
}

/** `safeText` on one line. */
export function safeLine(text: string): string {
  return safeText(text).replaceAll('\n', '\\n').replaceAll('\t', '\\t');
}

/** JSON that is safe on a terminal: what is unsafe stands only in strings, where an escape means the same. */
export function safeJson(value: unknown, indent?: number): string {
  // An escape is half of a pair where a character is one.
  return JSON.stringify(value, undefined, indent).replace(UNSAFE, (character) =>
    character
      .split('')
      .map((half) => `\\u${hex(half.charCodeAt(0))}`)
      .join(''),
  );
}

function hex(code: number): string {
  return code.toString(16).padStart(4, '0');
}
