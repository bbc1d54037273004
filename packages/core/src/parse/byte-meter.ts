import { fitUtf8 } from '../internal/utf8-length.ts';

/** Counts UTF-8 bytes against a limit, the same however a text is cut. */
export class ByteMeter {
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /**
   * Takes `text` from `from` on, of which that before `asciiUntil` is known to be ASCII. Returns the index of the
   * first character that does not fit any more.
   */
  fit(text: string, from: number, asciiUntil: number = from): number {
    const plain = Math.max(0, Math.min(asciiUntil - from, this.#maxBytes - this.#bytes));
    this.#bytes += plain;
    const { end, bytes } = fitUtf8(text, from + plain, this.#maxBytes - this.#bytes);
    this.#bytes += bytes;
    return end;
  }
}
