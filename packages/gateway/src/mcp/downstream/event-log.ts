import type { EventStore, JSONRPCMessage } from '@modelcontextprotocol/server';

/** Enough for a client that was away for a moment; the session is still there for one that was away longer. */
const MAX_EVENTS = 1000;
const MAX_CHARACTERS = 1_000_000;

interface Event {
  readonly stream: string;
  readonly message: JSONRPCMessage;
  readonly length: number;
}

/** The last messages of a session, so that a client whose stream broke can go on where it was. */
export class EventLog implements EventStore {
  readonly #events = new Map<string, Event>();
  #length = 0;
  #next = 1;

  async storeEvent(stream: string, message: JSONRPCMessage): Promise<string> {
    const id = String(this.#next++);
    const { length } = JSON.stringify(message);
    this.#events.set(id, { stream, message, length });
    this.#length += length;
    for (const [oldest, event] of this.#events) {
      const isTooMuch = this.#events.size > MAX_EVENTS || this.#length > MAX_CHARACTERS;
      // The newest is kept however long it is: it is what a client that lost its stream waits for.
      if (!isTooMuch || oldest === id) break;
      this.#events.delete(oldest);
      this.#length -= event.length;
    }
    return id;
  }

  async getStreamIdForEventId(id: string): Promise<string | undefined> {
    return this.#events.get(id)?.stream;
  }

  async replayEventsAfter(
    last: string,
    { send }: { send: (id: string, message: JSONRPCMessage) => Promise<void> },
  ): Promise<string> {
    const stream = this.#events.get(last)?.stream;
    if (stream === undefined) return '';
    let isAfter = false;
    for (const [id, event] of this.#events) {
      // A message without content only marked where a stream began.
      if (isAfter && event.stream === stream && 'jsonrpc' in event.message) {
        await send(id, event.message);
      }
      isAfter ||= id === last;
    }
    return stream;
  }
}
