import type { FuzzInput } from './fuzz-input.ts';
import type { SeededRandom } from './seeded-random.ts';

/** What readers stumble over: brackets, quotes, separators, space, and characters that are several bytes or halves. */
const ODD_CHARACTERS = [
  ...'{}[]()<>"\'`\\,:;=|/*#&+-_.!?@$%^~0129aeftnuxEN \n\t\r'.split(''),
  '\0',
  '\u0007',
  '\u001b',
  '\u00a0',
  '\u2028',
  '\ufeff',
  '“',
  '”',
  '：',
  '，',
  '｜',
  '▁',
  'é',
  '😀',
  '\ud83d',
  '\ude00',
];

const FIRST_PRINTABLE = 0x20;
const PRINTABLES = 95;
const MOST_AT_ONCE = 6;

/** Makes inputs of inputs. */
export class Mutator {
  readonly #random: SeededRandom;
  readonly #words: readonly string[];
  readonly #maxLength: number;

  constructor(random: SeededRandom, words: readonly string[], maxLength: number) {
    this.#random = random;
    this.#words = words;
    this.#maxLength = maxLength;
  }

  /** A change of `input`, or several; parts of `other` may be put into it. */
  mutate(input: FuzzInput, other: FuzzInput): FuzzInput {
    const random = this.#random;
    const choice = random.oneIn(6) ? this.#otherChoice(input.choice) : input.choice;
    if (random.oneIn(24)) return { text: input.text, choice: random.next() };
    let { text } = input;
    let times = 1;
    while (times < MOST_AT_ONCE && random.oneIn(2)) times++;
    for (; times > 0; times--) text = this.#change(text, other.text);
    return { text: text.slice(0, this.#maxLength), choice };
  }

  /** An input that owes nothing to any other: words and characters. */
  fresh(): FuzzInput {
    const random = this.#random;
    let text = '';
    for (let left = 1 + random.below(12); left > 0; left--) text += this.#piece();
    return { text: text.slice(0, this.#maxLength), choice: random.next() };
  }

  #otherChoice(choice: number): number {
    const random = this.#random;
    return random.oneIn(3) ? random.next() : (choice ^ (1 << random.below(32))) >>> 0;
  }

  #change(text: string, other: string): string {
    const random = this.#random;
    const at = random.below(text.length + 1);
    const length = this.#span(text.length - at);
    const before = text.slice(0, at);
    const behind = text.slice(at + length);
    switch (random.below(12)) {
      case 0:
      case 1:
        return before + behind;
      case 2:
      case 3:
        return before + this.#piece() + text.slice(at);
      case 4:
        return before + this.#piece() + behind;
      case 5:
        return before + this.#character() + text.slice(at + 1);
      case 6: {
        const part = text.slice(at, at + length);
        return before + part.repeat(2 + random.below(4)) + behind;
      }
      case 7: {
        // A part of it, somewhere else.
        const part = text.slice(at, at + length);
        const to = random.below(text.length + 1);
        return text.slice(0, to) + part + text.slice(to);
      }
      case 8: {
        const from = random.below(other.length);
        return before + other.slice(from, from + this.#span(other.length - from)) + behind;
      }
      case 9:
        return before + other.slice(random.below(other.length + 1));
      case 10:
        return before;
      default: {
        const code = text.charCodeAt(at);
        if (Number.isNaN(code)) return text + this.#character();
        const near = (code + random.below(9) - 4) & 0xffff;
        return before + String.fromCharCode(near) + text.slice(at + 1);
      }
    }
  }

  /** Mostly short. */
  #span(most: number): number {
    const random = this.#random;
    return random.oneIn(4) ? random.below(most + 1) : Math.min(most, 1 + random.below(8));
  }

  #piece(): string {
    return this.#random.oneIn(3) ? this.#character() : (this.#random.pick(this.#words) ?? '');
  }

  #character(): string {
    const random = this.#random;
    return random.oneIn(3)
      ? String.fromCharCode(FIRST_PRINTABLE + random.below(PRINTABLES))
      : (random.pick(ODD_CHARACTERS) ?? ' ');
  }
}
