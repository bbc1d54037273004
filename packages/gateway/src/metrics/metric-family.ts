export type MetricType = 'counter' | 'gauge' | 'histogram';

/** What a metric is called and what it says. */
export interface MetricInfo<L extends string = string> {
  /** As it is scraped; a counter ends in `_total`. */
  readonly name: string;
  /** One sentence. */
  readonly help: string;
  /** Default: none. */
  readonly labels?: readonly L[];
}

/** The values of the labels of one series. One that has none of a label leaves it out. */
export type Labels<L extends string> = Readonly<Record<L, string | undefined>>;

/** How many values fell into each bucket, those below its bound and above the one before it. */
export interface HistogramValue {
  /** One more than there are bounds: the last is for what is above them all. */
  readonly counts: readonly number[];
  readonly sum: number;
}

export interface Series {
  /** In the order of the labels of the metric; '' where it has none. */
  readonly values: readonly string[];
  readonly value: number | HistogramValue;
}

/** A metric with all its series, as they are at one moment. */
export interface MetricFamily {
  readonly info: MetricInfo;
  readonly type: MetricType;
  /** Of a histogram. */
  readonly bounds?: readonly number[];
  readonly series: readonly Series[];
}

/** Whatever has series to tell. */
export interface Metric {
  collect(): MetricFamily;
}
