import type { TurnEvent } from './turn/turn-event.ts';
import type { UpstreamFrame } from './turn/upstream-event.ts';

/**
 * Writes a turn in the protocol of a client, as a stream. `write` returns text to send, '' for none. Where
 * `frame` came in the client's own protocol and all of `events` are its own, unchanged and in order, its
 * payload is passed on as it is.
 */
export interface TurnWriter {
  write(events: readonly TurnEvent[], frame: UpstreamFrame): string;
  /** The upstream has ended. What closes the stream, if that was not said yet. */
  end(): string;
}
