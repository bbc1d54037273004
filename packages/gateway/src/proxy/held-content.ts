import type { BodyLimit } from '../http/body-limit.ts';
import type { RequestError } from '../http/request-error.ts';
import { responseTooLarge } from './response-limit.ts';
import type { TurnEvent } from './turn/turn-event.ts';
import type { UpstreamEvent, UpstreamFrame } from './turn/upstream-event.ts';

/** The memory of an entry without its text, about. */
const ENTRY_BYTES = 64;

/**
 * Counts the content of a response that stays in memory until its end. What is sent on and released does not count, so
 * that a stream may be as long as it likes.
 */
export class HeldContent {
  readonly #limit: BodyLimit;
  /** Whether the response repeats its output at the end. */
  readonly #isRepeated: boolean;
  #bytes = 0;

  constructor(limit: BodyLimit, isRepeated: boolean) {
    this.#limit = limit;
    this.#isRepeated = isRepeated;
  }

  /** Counts a frame that is kept until the response is complete. */
  addFrame({ data }: UpstreamFrame): void {
    this.#bytes += data.length + ENTRY_BYTES;
  }

  /** Counts what is kept of events that an upstream sent: calls until they are complete, and what is repeated. */
  addUpstreamEvents(events: readonly UpstreamEvent[]): void {
    for (const event of events) {
      switch (event.type) {
        case 'text':
        case 'reasoning':
          if (this.#isRepeated) this.#bytes += event.text.length;
          break;
        case 'call-fragment': {
          const { id = '', name = '', json = '' } = event;
          this.#bytes += id.length + name.length + json.length;
          if (name !== '') this.#bytes += ENTRY_BYTES;
          break;
        }
        case 'opaque':
          if (this.#isRepeated) this.#bytes += JSON.stringify(event.content).length;
          else if (event.call !== undefined || event.content['content_block'] !== undefined)
            this.#bytes += ENTRY_BYTES;
          break;
        default:
      }
    }
  }

  /** Counts what is kept of events that a client gets: calls, for the log and the trace. */
  addTurnEvents(events: readonly TurnEvent[]): void {
    for (const event of events) {
      if (event.type === 'call') {
        // The arguments of a native call are counted already.
        const { json, format } = event.call;
        this.#bytes += ENTRY_BYTES + (format === 'native' ? 0 : json.length);
      } else if (event.type === 'call-start') this.#bytes += ENTRY_BYTES;
      else if (event.type === 'call-delta') this.#bytes += event.json.length;
    }
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** The error, once more is held than may be. */
  get excess(): RequestError | undefined {
    const { maxBytes } = this.#limit;
    return this.#bytes > maxBytes ? responseTooLarge(this.#limit, `${maxBytes} bytes`) : undefined;
  }
}
