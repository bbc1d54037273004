/** A set of characters: `has` says whether a code point is in it. */
export interface CharacterSet {
  has(codePoint: number): boolean;
}

/** What a pattern is made of. There are no captures: only whether it matches is asked. */
export type PatternNode =
  | { readonly kind: 'set'; readonly set: CharacterSet }
  | { readonly kind: 'start' | 'end' | 'boundary' | 'no-boundary' }
  | { readonly kind: 'sequence' | 'choice'; readonly parts: readonly PatternNode[] }
  | {
      readonly kind: 'repeat';
      readonly part: PatternNode;
      readonly min: number;
      readonly max: number;
    };

/** The pattern needs more than a single pass over the text, or is no pattern at all. */
export class UnsupportedPattern extends Error {}

const MAX_LENGTH = 1000;
const MAX_GROUPS = 50;

/** Reads a regular expression of ECMAScript, as the flag `u` has it. Throws `UnsupportedPattern`. */
export function parsePattern(source: string): PatternNode {
  if (source.length > MAX_LENGTH)
    throw new UnsupportedPattern(`it is longer than ${MAX_LENGTH} characters`);
  return new PatternParser(source).parse();
}

class PatternParser {
  readonly #chars: readonly string[];
  #at = 0;
  #groups = 0;

  constructor(source: string) {
    // By code points: a pair of surrogates is one character.
    this.#chars = Array.from(source);
  }

  parse(): PatternNode {
    const node = this.#choice();
    if (this.#at < this.#chars.length) throw new UnsupportedPattern('a bracket is closed twice');
    return node;
  }

  #choice(): PatternNode {
    const parts = [this.#sequence()];
    while (this.#take('|')) parts.push(this.#sequence());
    return parts.length === 1 ? (parts[0] ?? EMPTY) : { kind: 'choice', parts };
  }

  #sequence(): PatternNode {
    const parts: PatternNode[] = [];
    for (let next = this.#peek(); next !== '' && next !== '|' && next !== ')'; next = this.#peek())
      parts.push(this.#repeated(this.#atom()));
    return { kind: 'sequence', parts };
  }

  #atom(): PatternNode {
    const char = this.#next();
    switch (char) {
      case '^':
        return { kind: 'start' };
      case '$':
        return { kind: 'end' };
      case '.':
        return { kind: 'set', set: NO_LINE_END };
      case '(':
        return this.#group();
      case '[':
        return { kind: 'set', set: this.#class() };
      case '\\':
        return this.#escape();
      case '*':
      case '+':
      case '?':
        throw new UnsupportedPattern(`there is nothing for ${char} to repeat`);
      default:
        return { kind: 'set', set: one(char) };
    }
  }

  #group(): PatternNode {
    this.#groups++;
    if (this.#groups > MAX_GROUPS) throw new UnsupportedPattern('it has too many groups');
    if (this.#take('?')) {
      if (!this.#take(':')) this.#skipName();
    }
    const node = this.#choice();
    if (!this.#take(')')) throw new UnsupportedPattern('a bracket is not closed');
    return node;
  }

  /** `(?<year>…)` is a group with a name; all else behind `(?` looks around, which one pass cannot. */
  #skipName(): void {
    const isName = this.#take('<') && this.#peek() !== '=' && this.#peek() !== '!';
    if (!isName) throw new UnsupportedPattern('it looks ahead or behind');
    while (!this.#take('>'))
      if (this.#next() === '') throw new UnsupportedPattern('a name has no end');
  }

  #repeated(part: PatternNode): PatternNode {
    const bounds = this.#bounds();
    if (bounds === undefined) return part;
    // Lazy or greedy is a question of what is captured.
    this.#take('?');
    if (part.kind !== 'set' && !('part' in part) && !('parts' in part))
      throw new UnsupportedPattern('it repeats what has no length');
    return { kind: 'repeat', part, ...bounds };
  }

  #bounds(): { min: number; max: number } | undefined {
    if (this.#take('*')) return { min: 0, max: Infinity };
    if (this.#take('+')) return { min: 1, max: Infinity };
    if (this.#take('?')) return { min: 0, max: 1 };
    if (this.#peek() !== '{') return undefined;
    const written = this.#chars.slice(this.#at, this.#at + 24).join('');
    const [all, from, comma, to] = /^\{(\d{1,9})(?:(,)(\d{1,9})?)?\}/.exec(written) ?? [];
    if (all === undefined || from === undefined) {
      if (/^\{\d/.test(written)) throw new UnsupportedPattern('a count has no end');
      // Without the flag `u` a brace that counts nothing is a brace.
      return undefined;
    }
    this.#at += all.length;
    const min = Number(from);
    const max = to !== undefined ? Number(to) : comma === undefined ? min : Infinity;
    if (max < min) throw new UnsupportedPattern(`${all} counts backwards`);
    return { min, max };
  }

  #escape(): PatternNode {
    const next = this.#peek();
    if (next === 'b' || next === 'B') {
      this.#at++;
      return { kind: next === 'b' ? 'boundary' : 'no-boundary' };
    }
    if (next === 'k' || (next >= '1' && next <= '9'))
      throw new UnsupportedPattern('it refers back to a group');
    return { kind: 'set', set: this.#escapedSet() };
  }

  /** The characters that an escape stands for; the backslash has been read. */
  #escapedSet(): CharacterSet {
    const char = this.#next();
    const known = ESCAPED_SETS.get(char);
    if (known !== undefined) return known;
    if (char === 'p' || char === 'P') return this.#property(char);
    if (char === 'x') return one(this.#hex(2));
    if (char === 'u') return one(this.#take('{') ? this.#hexInBraces() : this.#unit());
    if (char === 'c') return one(this.#control());
    const control = CONTROLS.get(char);
    if (control !== undefined) return one(control);
    if (char === '' || /^[a-z]$/i.test(char))
      throw new UnsupportedPattern(`\\${char} has no meaning`);
    return one(char);
  }

  /** `\cJ` is a line break. */
  #control(): string {
    const letter = this.#next();
    if (!/^[a-z]$/i.test(letter)) throw new UnsupportedPattern('\\c names no control character');
    return String.fromCharCode(letter.charCodeAt(0) % 32);
  }

  #hex(length: number): string {
    const digits = this.#chars.slice(this.#at, this.#at + length).join('');
    if (digits.length !== length || !/^[\da-f]+$/i.test(digits))
      throw new UnsupportedPattern('an escape has too few digits');
    this.#at += length;
    return String.fromCodePoint(parseInt(digits, 16));
  }

  /** `\uD83D\uDE00` is one character, written as its two halves. */
  #unit(): string {
    const high = this.#hex(4);
    const isPair =
      high >= '\uD800' &&
      high <= '\uDBFF' &&
      this.#chars[this.#at] === '\\' &&
      this.#chars[this.#at + 1] === 'u';
    if (!isPair) return high;
    const before = this.#at;
    this.#at += 2;
    const low = this.#hex(4);
    if (low >= '\uDC00' && low <= '\uDFFF') return high + low;
    this.#at = before;
    return high;
  }

  #hexInBraces(): string {
    const digits = this.#untilBrace();
    const codePoint = /^[\da-f]{1,6}$/i.test(digits) ? parseInt(digits, 16) : Infinity;
    if (codePoint > 0x10_ff_ff) throw new UnsupportedPattern(`\\u{${digits}} is no character`);
    return String.fromCodePoint(codePoint);
  }

  #property(letter: string): CharacterSet {
    if (!this.#take('{')) throw new UnsupportedPattern(`\\${letter} names no property`);
    const name = this.#untilBrace();
    try {
      // One character at a time: such an expression cannot be slow.
      const regex = new RegExp(`^\\${letter}{${name}}$`, 'u');
      return { has: (codePoint) => regex.test(String.fromCodePoint(codePoint)) };
    } catch {
      throw new UnsupportedPattern(`there is no property ${name}`);
    }
  }

  #untilBrace(): string {
    const end = this.#chars.indexOf('}', this.#at);
    const text = end < 0 ? '' : this.#chars.slice(this.#at, end).join('');
    if (!/^[\w=]{1,64}$/.test(text)) throw new UnsupportedPattern('an escape has no end');
    this.#at = end + 1;
    return text;
  }

  #class(): CharacterSet {
    const isNegated = this.#take('^');
    const sets: CharacterSet[] = [];
    for (;;) {
      if (this.#take(']')) break;
      if (this.#peek() === '') throw new UnsupportedPattern('a class has no end');
      const from = this.#classMember();
      const isRange = this.#peek() === '-' && this.#chars[this.#at + 1] !== ']';
      if (!isRange || typeof from !== 'number') {
        sets.push(typeof from === 'number' ? single(from) : from);
        continue;
      }
      this.#at++;
      const to = this.#classMember();
      if (typeof to !== 'number') sets.push(single(from), single(0x2d), to);
      else if (to < from) throw new UnsupportedPattern('a range runs backwards');
      else sets.push({ has: (codePoint) => codePoint >= from && codePoint <= to });
    }
    return { has: (codePoint) => sets.some((set) => set.has(codePoint)) !== isNegated };
  }

  /** One character of a class as its code point, or an escape that stands for several. */
  #classMember(): number | CharacterSet {
    const char = this.#next();
    if (char !== '\\') return char.codePointAt(0) ?? 0;
    if (this.#take('b')) return 8;
    const set = this.#escapedSet();
    return 'only' in set && typeof set.only === 'number' ? set.only : set;
  }

  #peek(): string {
    return this.#chars[this.#at] ?? '';
  }

  #next(): string {
    return this.#chars[this.#at++] ?? '';
  }

  #take(char: string): boolean {
    if (this.#chars[this.#at] !== char) return false;
    this.#at++;
    return true;
  }
}

const EMPTY: PatternNode = { kind: 'sequence', parts: [] };

interface SingleCharacter extends CharacterSet {
  readonly only: number;
}

function single(only: number): SingleCharacter {
  return { only, has: (codePoint) => codePoint === only };
}

function one(char: string): SingleCharacter {
  return single(char.codePointAt(0) ?? 0);
}

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;
const isLetter = (code: number): boolean =>
  (code | 32) >= 0x61 && (code | 32) <= 0x7a && code < 128;

export function isWordCharacter(code: number): boolean {
  return isDigit(code) || isLetter(code) || code === 0x5f;
}

const SPACES = /^\s$/;
const isSpace = (code: number): boolean => SPACES.test(String.fromCodePoint(code));

const NO_LINE_END: CharacterSet = {
  has: (code) => code !== 10 && code !== 13 && code !== 0x20_28 && code !== 0x20_29,
};

const ESCAPED_SETS: ReadonlyMap<string, CharacterSet> = new Map([
  ['d', { has: isDigit }],
  ['D', { has: (code: number) => !isDigit(code) }],
  ['w', { has: isWordCharacter }],
  ['W', { has: (code: number) => !isWordCharacter(code) }],
  ['s', { has: isSpace }],
  ['S', { has: (code: number) => !isSpace(code) }],
]);

const CONTROLS: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['v', '\v'],
  ['f', '\f'],
  ['0', '\0'],
]);
