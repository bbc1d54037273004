import type { EventStore, JSONRPCMessage } from '@modelcontextprotocol/server';

/** Enough for a client that was away for a moment; the session is still there for one that was away longer. */
const MAX_EVENTS = 1000;

/** The last messages of a session, so that a client whose stream broke can go on where it was. */
export class EventLog implements EventStore {
  readonly #events = new Map<
    string,
    { readonly stream: string; readonly message: JSONRPCMessage }
  >();
  #next = 1;

  async storeEvent(stream: string, message: JSONRPCMessage): Promise<string> {
    const id = String(this.#next++);
    this.#events.set(id, { stream, message });
    if (this.#events.size > MAX_EVENTS) {
      const [oldest] = this.#events.keys();
      if (oldest !== undefined) this.#events.delete(oldest);
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
