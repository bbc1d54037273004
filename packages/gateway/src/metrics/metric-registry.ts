import { Counter } from './counter.ts';
import { Histogram } from './histogram.ts';
import type { LabelBook } from './label-book.ts';
import type { Metric, MetricFamily, MetricInfo } from './metric-family.ts';
import { Reading } from './reading.ts';
import type { ReadingOptions } from './reading.ts';

/** All metrics, in the order in which they are told. */
export class MetricRegistry {
  readonly #book: LabelBook;
  readonly #metrics = new Map<string, Metric>();

  constructor(book: LabelBook) {
    this.#book = book;
  }

  counter<L extends string>(info: MetricInfo<L>): Counter<L> {
    return this.#add(info, new Counter(info, this.#book));
  }

  histogram<L extends string>(info: MetricInfo<L>, bounds: readonly number[]): Histogram<L> {
    return this.#add(info, new Histogram(info, bounds, this.#book));
  }

  /** A metric that is read at every scrape. */
  reading<L extends string>(info: MetricInfo<L>, options: ReadingOptions<L>): Reading<L> {
    return this.#add(info, new Reading(info, options, this.#book));
  }

  /** What a model is counted as: one that the upstream did not find takes no place among the labels. */
  modelLabel(model: string | undefined, error: string | undefined): string | undefined {
    const isUnknown = error === 'not-found' && model !== undefined;
    return isUnknown ? this.#book.of('model').known(model) : model;
  }

  collect(): readonly MetricFamily[] {
    return [...this.#metrics.values()].map((metric) => metric.collect());
  }

  #add<M extends Metric>({ name }: MetricInfo, metric: M): M {
    if (this.#metrics.has(name)) throw new TypeError(`there is a metric ${name} already`);
    this.#metrics.set(name, metric);
    return metric;
  }
}
