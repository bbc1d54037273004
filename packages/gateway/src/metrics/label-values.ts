/** What values beyond the limit are told as. */
export const OTHER = 'other';

/** No name of a tool or model that anybody means is longer. */
const LONGEST_VALUE = 128;

/** However many things there are, the names of so many are enough. */
const MOST_EXPECTED = 1000;

/**
 * The values that a label may have: those that are expected, the first so many others, and `other` for all that come
 * after them. Models, tools and clients name things, and every new value would be a new series, for ever.
 */
export class LabelValues {
  readonly #most: number;
  readonly #clean: (value: string) => string;
  /** Values as they come, and as they are told. */
  readonly #known = new Map<string, string>();
  readonly #expected = new Set<string>();
  #folded = 0;

  /** `clean` takes out of a new value what must not be told. */
  constructor(most: number, clean: (value: string) => string) {
    this.#most = most;
    this.#clean = clean;
  }

  /** How often a value was told as `other`. */
  get folded(): number {
    return this.#folded;
  }

  of(value: string): string {
    const known = this.#known.get(value);
    if (known !== undefined) return known;
    const strangers = this.#known.size - this.#expected.size;
    if (strangers >= this.#most || value.length > LONGEST_VALUE) {
      this.#folded++;
      return OTHER;
    }
    return this.#add(value);
  }

  /** The value of something that does not exist: one that is known already, else `other`. */
  known(value: string): string {
    return this.#known.has(value) ? value : OTHER;
  }

  /** Something of this name exists: it is told by its name, whatever came before it. */
  expect(value: string): void {
    if (value === '' || value.length > LONGEST_VALUE) return;
    if (this.#expected.has(value) || this.#expected.size >= MOST_EXPECTED) return;
    this.#expected.add(value);
    if (!this.#known.has(value)) this.#add(value);
  }

  #add(value: string): string {
    const told = this.#clean(value).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ');
    this.#known.set(value, told);
    return told;
  }
}
