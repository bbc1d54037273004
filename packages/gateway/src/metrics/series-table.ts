import type { LabelBook } from './label-book.ts';
import { OTHER } from './label-values.ts';
import type { Labels } from './metric-family.ts';

/** No metric has more series than this, but for the few that `other` makes. */
export const MOST_SERIES = 1000;

/** A series of a histogram is many lines. */
export const MOST_HISTOGRAMS = 300;

export interface SeriesRow<T> {
  readonly values: readonly string[];
  cell: T;
}

/** The series of one metric, by the values of their labels. */
export class SeriesTable<L extends string, T> {
  readonly #labels: readonly L[];
  readonly #book: LabelBook;
  readonly #make: () => T;
  readonly #most: number;
  readonly #rows = new Map<string, SeriesRow<T>>();

  constructor(labels: readonly L[], book: LabelBook, make: () => T, most = MOST_SERIES) {
    this.#labels = labels;
    this.#book = book;
    this.#make = make;
    this.#most = most;
  }

  /** The series that a measurement belongs to. */
  of(labels: Labels<L>): SeriesRow<T> {
    const values = this.#labels.map((label) => {
      const value = labels[label];
      return value === undefined || value === '' ? '' : this.#book.of(label).of(value);
    });
    const found = this.#rows.get(keyOf(values));
    if (found !== undefined) return found;
    // Every label has few values, but their combinations may be many.
    return this.#rows.size < this.#most ? this.#add(values) : this.#add(this.#folded(values));
  }

  rows(): readonly SeriesRow<T>[] {
    return [...this.#rows.values()];
  }

  #folded(values: readonly string[]): readonly string[] {
    return values.map((value, index) => {
      const label = this.#labels[index];
      return value !== '' && label !== undefined && this.#book.isOpen(label) ? OTHER : value;
    });
  }

  #add(values: readonly string[]): SeriesRow<T> {
    const key = keyOf(values);
    const known = this.#rows.get(key);
    if (known !== undefined) return known;
    const row = { values, cell: this.#make() };
    this.#rows.set(key, row);
    return row;
  }
}

/** No value has a control character in it. */
function keyOf(values: readonly string[]): string {
  return values.join('\n');
}
