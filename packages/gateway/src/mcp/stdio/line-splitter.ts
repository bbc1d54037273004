/** What is told of the lines in a stream of bytes. */
export interface LineListener {
  /** A line without its line feed. */
  line(text: string): void;
  /** A line has grown past the limit. Nothing is read after it. */
  tooLong(): void;
}

const LINE_FEED = 0x0a;

/**
 * Cuts a stream of bytes into lines. A line that lies within one chunk is decoded where it is; one that does
 * not is kept as a list of its chunks and put together once, so that the cost is that of the bytes however
 * they are cut.
 */
export class LineSplitter {
  readonly #maxBytes: number;
  readonly #listener: LineListener;
  #begun: Buffer[] = [];
  #begunBytes = 0;
  #stopped = false;

  constructor(maxBytes: number, listener: LineListener) {
    this.#maxBytes = maxBytes;
    this.#listener = listener;
  }

  feed(chunk: Buffer): void {
    let from = 0;
    while (!this.#stopped) {
      const end = chunk.indexOf(LINE_FEED, from);
      const until = end === -1 ? chunk.length : end;
      if (this.#begunBytes + until - from > this.#maxBytes) {
        this.stop();
        this.#listener.tooLong();
        return;
      }
      if (end === -1) {
        this.#keep(from === 0 ? chunk : chunk.subarray(from));
        return;
      }
      this.#listener.line(this.#decode(chunk, from, end));
      from = end + 1;
    }
  }

  /** There is nothing more to come. Returns how many bytes of a line without an end are dropped. */
  end(): number {
    const dropped = this.#begunBytes;
    this.stop();
    return dropped;
  }

  /** What is fed from now on is not looked at. */
  stop(): void {
    this.#stopped = true;
    this.#begun = [];
    this.#begunBytes = 0;
  }

  #keep(rest: Buffer): void {
    if (rest.length === 0) return;
    this.#begun.push(rest);
    this.#begunBytes += rest.length;
  }

  #decode(chunk: Buffer, from: number, end: number): string {
    if (this.#begunBytes === 0) return chunk.toString('utf8', from, end);
    this.#begun.push(chunk.subarray(from, end));
    // Together before they are decoded: a character may be cut in two.
    const whole = Buffer.concat(this.#begun);
    this.#begun = [];
    this.#begunBytes = 0;
    return whole.toString('utf8');
  }
}
