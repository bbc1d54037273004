/** The newest of many, in the memory of a few. */
export class Newest<T> {
  readonly #max: number;
  readonly #kept: T[] = [];
  #added = 0;

  constructor(max: number) {
    this.#max = max;
  }

  add(value: T): void {
    this.#kept[this.#added++ % this.#max] = value;
  }

  /** Newest first. */
  *[Symbol.iterator](): Iterator<T> {
    const last = this.#added - 1;
    for (let at = last; at > last - this.#kept.length; at--) {
      const value = this.#kept[at % this.#max];
      if (value !== undefined) yield value;
    }
  }
}
