import { MarkerSet } from '../script/marker-set.ts';

/** The literals of a dialect that writes `call:NAME{key:value,…}` between markers. */
export class KeyValueMarkup {
  readonly begin: string;
  readonly end: string;
  /** What stands on both sides of a string. */
  readonly quote: string;
  /** What may follow a block and means nothing. */
  readonly noise: MarkerSet;
  /** Where a string may end, or has to be doubted. */
  readonly inString: MarkerSet;
  readonly quotes: MarkerSet;
  /** Where a value without quotes may end, in an object and in a list. */
  readonly inObject: MarkerSet;
  readonly inList: MarkerSet;

  constructor(literals: {
    readonly begin: string;
    readonly end: string;
    readonly quote: string;
    readonly noise?: readonly string[];
  }) {
    const { begin, end, quote, noise = [] } = literals;
    this.begin = begin;
    this.end = end;
    this.quote = quote;
    this.noise = new MarkerSet([end, ...noise]);
    this.inString = new MarkerSet([quote, end]);
    this.quotes = new MarkerSet([quote]);
    this.inObject = new MarkerSet([',', '}', end, begin]);
    this.inList = new MarkerSet([',', ']', '}', end, begin]);
  }
}
