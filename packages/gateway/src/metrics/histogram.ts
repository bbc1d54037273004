import type { LabelBook } from './label-book.ts';
import type { Labels, Metric, MetricFamily, MetricInfo } from './metric-family.ts';
import { MOST_HISTOGRAMS, SeriesTable } from './series-table.ts';

interface Buckets {
  readonly counts: number[];
  sum: number;
}

/** Counts values by how large they are. */
export class Histogram<L extends string> implements Metric {
  readonly #info: MetricInfo<L>;
  readonly #bounds: readonly number[];
  readonly #series: SeriesTable<L, Buckets>;

  /** Bounds go upwards; each is the largest value of its bucket. */
  constructor(info: MetricInfo<L>, bounds: readonly number[], book: LabelBook) {
    this.#info = info;
    this.#bounds = bounds;
    const make = (): Buckets => ({
      counts: new Array<number>(bounds.length + 1).fill(0),
      sum: 0,
    });
    this.#series = new SeriesTable(info.labels ?? [], book, make, MOST_HISTOGRAMS);
  }

  observe(labels: Labels<L>, value: number): void {
    // A clock that was set back, or a count that a server made up.
    if (!(value >= 0) || value === Infinity) return;
    const { cell } = this.#series.of(labels);
    const found = this.#bounds.findIndex((bound) => value <= bound);
    const bucket = found < 0 ? this.#bounds.length : found;
    cell.counts[bucket] = (cell.counts[bucket] ?? 0) + 1;
    cell.sum += value;
  }

  collect(): MetricFamily {
    return {
      info: this.#info,
      type: 'histogram',
      bounds: this.#bounds,
      series: this.#series.rows().map(({ values, cell }) => ({ values, value: cell })),
    };
  }
}
