import { quantile } from './alternate.mjs';

/** Values of many turns, of which the best counts: the lowest, or the highest of a rate. */
export class Turns {
  #values = [];
  #isRate;

  constructor({ isRate = false } = {}) {
    this.#isRate = isRate;
  }

  add(value) {
    this.#values.push(value);
  }

  get best() {
    return this.#sorted[0] ?? (this.#isRate ? 0 : Infinity);
  }

  /** What nine of ten turns beat. */
  get p90() {
    return quantile(this.#sorted, 0.9) ?? this.best;
  }

  get #sorted() {
    const up = this.#values.toSorted((a, b) => a - b);
    return this.#isRate ? up.reverse() : up;
  }

  toJSON() {
    return { best: this.best, p90: this.p90, turns: this.#values.length };
  }
}
