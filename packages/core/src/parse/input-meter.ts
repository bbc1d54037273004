import { fitUtf8, utf8Length } from '../internal/utf8-length.ts';

/** Chunks up to this length are counted as they come: it costs less than keeping them. */
const COUNTED_AT_ONCE = 64;
/** So many characters are kept uncounted, or one chunk: each stream that is open keeps its own. */
const MOST_UNCOUNTED = 4096;
const MOST_PER_CHARACTER = 3;

/** Counts the bytes of a message, as late as it can: nearly all messages are far below their limit. */
export class InputMeter {
  readonly #maxBytes: number;
  #bytes = 0;
  /** Long chunks not counted yet. A character is at most three bytes, which mostly settles it. */
  #uncounted = '';

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Takes a chunk. Returns how many of its characters still fit. */
  fit(chunk: string): number {
    const length = this.#uncounted.length + chunk.length;
    const most = this.#bytes + length * MOST_PER_CHARACTER + MOST_PER_CHARACTER;
    if (most <= this.#maxBytes) {
      this.#take(chunk);
      return chunk.length;
    }
    this.#count();
    const { end, bytes } = fitUtf8(chunk, 0, this.#maxBytes - this.#bytes);
    this.#bytes += bytes;
    return end;
  }

  #take(chunk: string): void {
    if (chunk.length > COUNTED_AT_ONCE) {
      if (this.#uncounted.length + chunk.length > MOST_UNCOUNTED) this.#count();
      this.#uncounted += chunk;
      return;
    }
    this.#bytes += chunk.length;
    // Most small chunks are ASCII, and seeing that here costs less than asking.
    for (let at = 0; at < chunk.length; at++) {
      if (chunk.charCodeAt(at) < 0x80) continue;
      this.#bytes += utf8Length(chunk) - chunk.length;
      break;
    }
  }

  #count(): void {
    this.#bytes += utf8Length(this.#uncounted);
    this.#uncounted = '';
  }
}
