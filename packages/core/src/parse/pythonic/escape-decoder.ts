export interface DecodedEscape {
  readonly text: string;
  /** How many characters it takes in the source. */
  readonly length: number;
}

/** So many characters, from the backslash on, show what an escape is. */
export const LONGEST_ESCAPE = 10;

const LETTERS: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

/** Decodes the escapes of one string as Python does. Escapes that Python does not have keep their backslash. */
export class EscapeDecoder {
  /** Whether there was an escape that Python refuses, as `\U` in a path. */
  isBroken = false;
  /** Whether an escape before that one may have been no escape either. */
  isDoubtful = false;
  #hasLetter = false;

  /** `ahead` begins with a backslash. */
  decode(ahead: string): DecodedEscape {
    const next = ahead.charAt(1);
    if (next === '\\' || next === "'" || next === '"') return { text: next, length: 2 };
    // Python refuses the string: it was not written with escapes in mind.
    if (this.isBroken) return BACKSLASH;
    if (next === '\n') return { text: '', length: 2 };
    if (next === '\r') return { text: '', length: ahead.charAt(2) === '\n' ? 3 : 2 };
    const letter = Object.hasOwn(LETTERS, next) ? LETTERS[next] : undefined;
    if (letter !== undefined) {
      this.#hasLetter = true;
      return { text: letter, length: 2 };
    }
    if (next === 'x') return this.#hexadecimal(ahead, 2);
    if (next === 'u') return this.#hexadecimal(ahead, 4);
    if (next === 'U') return this.#hexadecimal(ahead, 8);
    const octal = /^\\([0-7]{1,3})/.exec(ahead)?.[1];
    if (octal === undefined) return BACKSLASH;
    return { text: String.fromCharCode(Number.parseInt(octal, 8)), length: 1 + octal.length };
  }

  #hexadecimal(ahead: string, count: number): DecodedEscape {
    const digits = ahead.slice(2, 2 + count);
    const code = Number.parseInt(digits, 16);
    if (digits.length === count && /^[\da-fA-F]+$/.test(digits) && code <= 0x10ffff)
      return { text: String.fromCodePoint(code), length: 2 + count };
    this.isBroken = true;
    this.isDoubtful ||= this.#hasLetter;
    return BACKSLASH;
  }
}

const BACKSLASH: DecodedEscape = { text: '\\', length: 1 };
