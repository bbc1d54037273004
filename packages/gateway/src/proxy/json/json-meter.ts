const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Messages nested deeper are refused: what goes through them later would run out of stack. */
export const MAX_DEPTH = 1000;

/**
 * A JSON value takes up to a hundred bytes of memory, however short it is written. A text may have one value for so
 * many bytes of its limit, so that it takes no more than a few times the limit.
 */
export const BYTES_PER_VALUE = 32;

/** Short texts may have this many values, whatever their limit. */
const FEW_VALUES = 10_000;

/** How many values a text of at most so many bytes may have. */
export function maxValuesOf(maxBytes: number): number {
  return Math.max(FEW_VALUES, Math.floor(maxBytes / BYTES_PER_VALUE));
}

/** What there is too much of in a JSON text. */
export type JsonExcess = 'depth' | 'values';

/**
 * Counts the values of JSON and how deep they are nested while the text arrives, so that a costly one is refused before
 * it is parsed. Takes the text in parts, which may be Latin-1 decoded UTF-8: the structure of JSON is ASCII.
 */
export class JsonMeter {
  readonly #maxValues: number;
  readonly #maxDepth: number;
  #values = 0;
  #depth = 0;
  #isInString = false;
  #isEscaped = false;

  constructor(maxValues: number, maxDepth: number = MAX_DEPTH) {
    this.#maxValues = maxValues;
    this.#maxDepth = maxDepth;
  }

  /** Counts a part. Returns what there is too much of; undefined while there is not. */
  feed(text: string): JsonExcess | undefined {
    for (let at = this.#isInString ? this.#skipString(text, 0) : 0; at < text.length; at++) {
      switch (text.charCodeAt(at)) {
        case QUOTE:
          this.#isInString = true;
          at = this.#skipString(text, at + 1) - 1;
          break;
        case 0x5b: // [
        case 0x7b: // {
          this.#values++;
          if (++this.#depth > this.#maxDepth) return 'depth';
          break;
        case 0x5d: // ]
        case 0x7d: // }
          this.#depth--;
          break;
        case 0x2c: // ,
          this.#values++;
          break;
        default:
      }
    }
    return this.#values > this.#maxValues ? 'values' : undefined;
  }

  /** Where the string that `at` is in has ended, or the end of the text. */
  #skipString(text: string, at: number): number {
    let next = at;
    if (this.#isEscaped && next < text.length) {
      this.#isEscaped = false;
      next++;
    }
    for (; next < text.length; next++) {
      const code = text.charCodeAt(next);
      if (code === QUOTE) {
        this.#isInString = false;
        return next + 1;
      }
      if (code === BACKSLASH && ++next === text.length) this.#isEscaped = true;
    }
    return text.length;
  }
}

/** What there is too much of in a JSON text that is at most `maxBytes` long; undefined if nothing is. */
export function jsonExcess(
  json: string,
  maxBytes: number,
  maxDepth: number = MAX_DEPTH,
): JsonExcess | undefined {
  // A shorter text has no room for so many openings and closings; one that is not closed fails soon.
  if (json.length <= 2 * maxDepth && json.length < FEW_VALUES) return undefined;
  return new JsonMeter(maxValuesOf(maxBytes), maxDepth).feed(json);
}
