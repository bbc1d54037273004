import { JsonMeter, maxValuesOf } from '../../proxy/json/json-meter.ts';

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/**
 * Counts the bytes and the JSON values of the message that is being received: of the whole body, or of one event in a
 * stream of them.
 */
export class MessageMeter {
  readonly #unit: 'whole' | 'events';
  readonly #maxValues: number;
  #values: JsonMeter;
  #bytes = 0;
  /** Whether a message had more JSON values than one may have. */
  hasTooManyValues = false;
  /** Of the line that has not ended yet, without a carriage return at its end. */
  #lineBytes = 0;

  /** `maxBytes` is the limit of one message. */
  constructor(unit: 'whole' | 'events', maxBytes: number) {
    this.#unit = unit;
    this.#maxValues = maxValuesOf(maxBytes);
    this.#values = this.#newValues();
  }

  /** Returns how long a message has become with these bytes: the longest of them where several end here. */
  add(chunk: Uint8Array): number {
    if (this.#unit === 'whole') {
      this.#count(chunk);
      return (this.#bytes += chunk.length);
    }
    let longest = 0;
    let from = 0;
    for (;;) {
      const end = chunk.indexOf(LINE_FEED, from);
      const until = end === -1 ? chunk.length : end;
      this.#bytes += until - from;
      this.#lineBytes += until - from;
      this.#count(chunk.subarray(from, until));
      if (until > from && chunk[until - 1] === CARRIAGE_RETURN) this.#lineBytes--;
      longest = Math.max(longest, this.#bytes);
      if (end === -1) return longest;
      // An empty line ends an event.
      const isOver = this.#lineBytes === 0;
      if (isOver && this.#bytes > 0) this.#values = this.#newValues();
      this.#bytes = isOver ? 0 : this.#bytes + 1;
      this.#lineBytes = 0;
      from = end + 1;
    }
  }

  #count(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
    if (this.#values.feed(text) === 'values') this.hasTooManyValues = true;
  }

  /** The depth is limited where messages are read. */
  #newValues(): JsonMeter {
    return new JsonMeter(this.#maxValues, Infinity);
  }
}
