/** Enough for a client that was away for a moment; the session is still there for one that was away longer. */
const MAX_EVENTS = 1000;
const MAX_CHARACTERS = 1_000_000;

interface Event {
  readonly stream: string;
  /** Empty where it only marks the place at which a stream began. */
  readonly json: string;
}

/** The last messages of a session, so that a client whose stream broke can go on where it was. */
export class EventLog {
  readonly #events = new Map<string, Event>();
  #length = 0;
  #next = 1;

  /** By which id a client asks for what came after this message, as JSON, of this stream. */
  add(stream: string, json: string): string {
    const id = String(this.#next++);
    this.#events.set(id, { stream, json });
    this.#length += json.length;
    for (const [oldest, event] of this.#events) {
      const isTooMuch = this.#events.size > MAX_EVENTS || this.#length > MAX_CHARACTERS;
      // The newest is kept however long it is: it is what a client that lost its stream waits for.
      if (!isTooMuch || oldest === id) break;
      this.#events.delete(oldest);
      this.#length -= event.json.length;
    }
    return id;
  }

  streamOf(id: string): string | undefined {
    return this.#events.get(id)?.stream;
  }

  /** The messages of the same stream after the one with this id. */
  *after(last: string): Generator<readonly [id: string, json: string]> {
    const stream = this.streamOf(last);
    let isAfter = false;
    for (const [id, event] of this.#events) {
      if (isAfter && event.stream === stream && event.json !== '') yield [id, event.json];
      isAfter ||= id === last;
    }
  }
}
