import { BACKSLASH, LOWER_U, OPEN_BRACE, SINGLE_QUOTE } from './char-code.ts';

export interface Escape {
  /** What the escape stands for. */
  readonly text: string;
  /** What it stands for if no backslash in the string is an escape, as in a Windows path. */
  readonly pathText: string;
  /** How many characters it takes. */
  readonly length: number;
  /** Whether JSON has it. */
  readonly valid: boolean;
  /** Whether JSON has no such escape and the backslash therefore stays. */
  readonly keptBackslash: boolean;
  /** Whether the text ended inside it. */
  readonly truncated: boolean;
}

/** The escapes of one letter that JSON has. */
export const SIMPLE_ESCAPES: ReadonlyMap<number, string> = new Map([
  [0x22, '"'],
  [0x2f, '/'],
  [0x5c, '\\'],
  [0x62, '\b'],
  [0x66, '\f'],
  [0x6e, '\n'],
  [0x72, '\r'],
  [0x74, '\t'],
]);

/**
 * Reads the escape whose backslash is at `at`. Returns undefined when more text is needed. An escape JSON
 * does not have keeps its backslash (`C:\Users`, `\d+`), except those that other languages define whole:
 * `\xHH`, `\u{…}`, `\UHHHHHHHH` and the quote that delimits the string.
 */
export function readEscape(
  text: string,
  at: number,
  quote: number,
  ending: boolean,
): Escape | undefined {
  if (at + 1 >= text.length) return ending ? cut(text.length - at) : undefined;
  const code = text.charCodeAt(at + 1);
  const simple = SIMPLE_ESCAPES.get(code);
  if (simple !== undefined) {
    const pathText = code === BACKSLASH || code === 0x22 ? simple : `\\${text.charAt(at + 1)}`;
    return {
      text: simple,
      pathText,
      length: 2,
      valid: true,
      keptBackslash: false,
      truncated: false,
    };
  }
  if (code === quote || code === SINGLE_QUOTE) {
    return { ...decoded(text, at, 2, text.charAt(at + 1)), valid: code === quote };
  }
  if (code === LOWER_U && text.charCodeAt(at + 2) !== OPEN_BRACE)
    return readUnicode(text, at, ending);
  if (code === LOWER_U) return readBraced(text, at, ending);
  if (code === 0x78) return readHex(text, at, 2, ending);
  if (code === 0x55) return readHex(text, at, 8, ending);
  return kept(text, at);
}

/** `\uHHHH`, which JSON has. */
function readUnicode(text: string, at: number, ending: boolean): Escape | undefined {
  const digits = hexDigits(text, at + 2, 4);
  if (digits === 4) {
    const unit = String.fromCharCode(Number.parseInt(text.slice(at + 2, at + 6), 16));
    return {
      text: unit,
      pathText: text.slice(at, at + 6),
      length: 6,
      valid: true,
      keptBackslash: false,
      truncated: false,
    };
  }
  if (at + 2 + digits >= text.length) return ending ? cut(text.length - at) : undefined;
  return kept(text, at);
}

/** `\xHH` and `\UHHHHHHHH`, as Python writes them. */
function readHex(text: string, at: number, length: number, ending: boolean): Escape | undefined {
  const digits = hexDigits(text, at + 2, length);
  if (digits < length) {
    if (at + 2 + digits >= text.length && !ending) return undefined;
    return kept(text, at);
  }
  const point = Number.parseInt(text.slice(at + 2, at + 2 + length), 16);
  if (point > 0x10ffff) return kept(text, at);
  return decoded(text, at, length + 2, String.fromCodePoint(point));
}

/** `\u{1F600}`, as JavaScript writes it. */
function readBraced(text: string, at: number, ending: boolean): Escape | undefined {
  const digits = hexDigits(text, at + 3, 6);
  const end = at + 3 + digits;
  if (end >= text.length && !ending) return undefined;
  // Without any digit it is no number, and no character either.
  const point = Number.parseInt(text.slice(at + 3, end), 16);
  if (text.charAt(end) !== '}' || !(point <= 0x10ffff)) return kept(text, at);
  return decoded(text, at, digits + 4, String.fromCodePoint(point));
}

function decoded(source: string, at: number, length: number, text: string): Escape {
  const pathText = source.slice(at, at + length);
  return { text, pathText, length, valid: false, keptBackslash: false, truncated: false };
}

function kept(source: string, at: number): Escape {
  const text = source.charAt(at);
  return { text, pathText: text, length: 1, valid: false, keptBackslash: true, truncated: false };
}

function cut(length: number): Escape {
  return { text: '', pathText: '', length, valid: false, keptBackslash: false, truncated: true };
}

function hexDigits(text: string, from: number, most: number): number {
  let count = 0;
  while (count < most && isHex(text.charCodeAt(from + count))) count++;
  return count;
}

function isHex(code: number): boolean {
  return (
    (code >= 0x30 && code <= 0x39) ||
    (code >= 0x61 && code <= 0x66) ||
    (code >= 0x41 && code <= 0x46)
  );
}
