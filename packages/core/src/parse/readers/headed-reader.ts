import type { CallReader, EagerCall, RawCall, ReadStatus, Unread } from '../format.ts';

/**
 * Looks at the beginning of a block: where what is to be read begins, `no` when it begins otherwise, and
 * `unclear` while more text is needed to tell. What it says must not depend on how much text has come.
 */
export type FindHead = (text: string, from: number) => number | 'no' | 'unclear';

/** Has another reader read what begins as it must, and lets everything else go at once. */
export class HeadedReader implements CallReader {
  readonly #findHead: FindHead;
  readonly #reader: CallReader;
  /** The text until the beginning is known. */
  #head = '';
  #start = -1;

  constructor(findHead: FindHead, reader: CallReader) {
    this.#findHead = findHead;
    this.#reader = reader;
  }

  get calls(): readonly RawCall[] {
    return this.#reader.calls;
  }

  get eager(): EagerCall[] {
    return this.#reader.eager ?? NONE;
  }

  get endOffset(): number {
    return this.#start < 0 ? 0 : this.#start + this.#reader.endOffset;
  }

  get reach(): number {
    return this.#start < 0 ? 0 : this.#start + (this.#reader.reach ?? 0);
  }

  get reason(): string {
    return this.#start < 0 ? 'it begins like no call' : this.#reader.reason;
  }

  get resembledCall(): boolean {
    return this.#reader.resembledCall;
  }

  get cut(): boolean {
    return this.#reader.cut;
  }

  get unread(): Unread | undefined {
    const { unread } = this.#reader;
    return unread === undefined ? undefined : { ...unread, at: this.#start + unread.at };
  }

  get tooDeep(): boolean {
    return this.#reader.tooDeep;
  }

  read(text: string, from: number): ReadStatus {
    if (this.#start >= 0) return this.#reader.read(text, from);
    const isFirst = this.#head === '';
    const seen = isFirst ? text : this.#head + text.slice(from);
    const begin = isFirst ? from : 0;
    const at = this.#findHead(seen, begin);
    if (at === 'no') return 'declined';
    if (at === 'unclear') {
      this.#head = isFirst ? seen.slice(begin) : seen;
      return 'more';
    }
    this.#start = at - begin;
    return this.#reader.read(seen, at);
  }

  end(): ReadStatus {
    return this.#start < 0 ? 'declined' : this.#reader.end();
  }
}

const NONE: EagerCall[] = [];
