import type { EventStore, JSONRPCMessage } from '@modelcontextprotocol/server';

/** Keeps what was sent on streams, so that a client that comes back hears the rest. */
export class KeptEvents implements EventStore {
  readonly #events: { readonly streamId: string; readonly message: JSONRPCMessage }[] = [];

  async storeEvent(streamId: string, message: JSONRPCMessage): Promise<string> {
    this.#events.push({ streamId, message });
    return String(this.#events.length);
  }

  async getStreamIdForEventId(eventId: string): Promise<string | undefined> {
    return this.#events[Number(eventId) - 1]?.streamId;
  }

  async replayEventsAfter(
    lastEventId: string,
    { send }: { send: (eventId: string, message: JSONRPCMessage) => Promise<void> },
  ): Promise<string> {
    const from = Number(lastEventId);
    const streamId = this.#events[from - 1]?.streamId ?? '';
    for (const [index, event] of this.#events.entries()) {
      const isNew = index >= from && event.streamId === streamId;
      // What opens a stream is an event without a message.
      if (isNew && 'jsonrpc' in event.message) await send(String(index + 1), event.message);
    }
    return streamId;
  }
}
