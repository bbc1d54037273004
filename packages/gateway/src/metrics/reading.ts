import type { LabelBook } from './label-book.ts';
import type { Labels, Metric, MetricFamily, MetricInfo } from './metric-family.ts';
import { SeriesTable } from './series-table.ts';

export interface ReadingOptions<L extends string> {
  readonly type: 'counter' | 'gauge';
  /** What it is now. Asked at every scrape. */
  readonly read: () => Iterable<readonly [Labels<L>, number]>;
  /** What those come to that are told under one name, because there are too many. Default: their sum. */
  readonly fold?: 'sum' | 'max';
}

/** What is known elsewhere, and read when somebody asks. */
export class Reading<L extends string> implements Metric {
  readonly #info: MetricInfo<L>;
  readonly #options: ReadingOptions<L>;
  readonly #book: LabelBook;

  constructor(info: MetricInfo<L>, options: ReadingOptions<L>, book: LabelBook) {
    this.#info = info;
    this.#options = options;
    this.#book = book;
  }

  collect(): MetricFamily {
    const { type, read, fold = 'sum' } = this.#options;
    const table = new SeriesTable<L, number | undefined>(
      this.#info.labels ?? [],
      this.#book,
      () => undefined,
    );
    for (const [labels, value] of read()) {
      const row = table.of(labels);
      const { cell } = row;
      if (cell === undefined) row.cell = value;
      else row.cell = fold === 'sum' ? cell + value : Math.max(cell, value);
    }
    const series = table.rows().map(({ values, cell = 0 }) => ({ values, value: cell }));
    return { info: this.#info, type, series };
  }
}
