import type { LabelBook } from './label-book.ts';
import type { Labels, Metric, MetricFamily, MetricInfo } from './metric-family.ts';
import { SeriesTable } from './series-table.ts';

/** Counts what happens. */
export class Counter<L extends string> implements Metric {
  readonly #info: MetricInfo<L>;
  readonly #series: SeriesTable<L, number>;

  constructor(info: MetricInfo<L>, book: LabelBook) {
    this.#info = info;
    this.#series = new SeriesTable(info.labels ?? [], book, () => 0);
    // What has no labels is told from the start, so that its first change is one.
    if (info.labels === undefined) this.#series.of({} as Labels<L>);
  }

  add(labels: Labels<L>, amount = 1): void {
    this.#series.of(labels).cell += amount;
  }

  collect(): MetricFamily {
    return {
      info: this.#info,
      type: 'counter',
      series: this.#series.rows().map(({ values, cell }) => ({ values, value: cell })),
    };
  }
}
