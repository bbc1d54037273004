const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** Counts the bytes of the message that is being received: of the whole body, or of one event in a stream of them. */
export class MessageMeter {
  readonly #unit: 'whole' | 'events';
  #bytes = 0;
  /** Of the line that has not ended yet, without a carriage return at its end. */
  #lineBytes = 0;

  constructor(unit: 'whole' | 'events') {
    this.#unit = unit;
  }

  /** Returns how long a message has become with these bytes: the longest of them where several end here. */
  add(chunk: Uint8Array): number {
    if (this.#unit === 'whole') return (this.#bytes += chunk.length);
    let longest = 0;
    let from = 0;
    for (;;) {
      const end = chunk.indexOf(LINE_FEED, from);
      const until = end === -1 ? chunk.length : end;
      this.#bytes += until - from;
      this.#lineBytes += until - from;
      if (until > from && chunk[until - 1] === CARRIAGE_RETURN) this.#lineBytes--;
      longest = Math.max(longest, this.#bytes);
      if (end === -1) return longest;
      // An empty line ends an event.
      this.#bytes = this.#lineBytes === 0 ? 0 : this.#bytes + 1;
      this.#lineBytes = 0;
      from = end + 1;
    }
  }
}
