import { StringDecoder } from 'node:string_decoder';
import { createParser } from 'eventsource-parser';
import type { EventSourceParser } from 'eventsource-parser';

/** What a stream of server-sent events brings. */
export type SseItem =
  | { readonly type: 'event'; readonly data: string; readonly name?: string }
  /** A line that is no field of an event: some servers write their errors so. */
  | { readonly type: 'stray-line'; readonly line: string }
  /** An event grew past the limit. Nothing is read after it. */
  | { readonly type: 'too-long'; readonly maxLength: number };

/** The most characters one event may have: no answer of a model needs more, and memory is bounded by it. */
const MOST_EVENT_CHARACTERS = 4 * 1024 * 1024;

/** Turns bytes, cut anywhere, into server-sent events. Comments, which keep connections alive, are left out. */
export class SseReader {
  readonly #decoder = new StringDecoder('utf8');
  readonly #parser: EventSourceParser;
  readonly #maxLength: number;
  #items: SseItem[] = [];
  #hasBegun = false;
  #isOver = false;

  constructor(maxLength: number = MOST_EVENT_CHARACTERS) {
    this.#maxLength = maxLength;
    this.#parser = createParser({
      maxBufferSize: maxLength,
      onEvent: ({ data, event }) => {
        if (data.length > maxLength) this.#stop();
        else this.#add({ type: 'event', data, ...(event !== undefined && { name: event }) });
      },
      onError: (error) => {
        if (error.type === 'max-buffer-size-exceeded') this.#stop();
        else if (error.line !== undefined) this.#add({ type: 'stray-line', line: error.line });
      },
    });
  }

  feed(bytes: Uint8Array): SseItem[] {
    return this.#read(this.#decoder.write(bytes));
  }

  /** The stream has ended. An event whose closing blank line is missing is told all the same. */
  end(): SseItem[] {
    const items = this.#read(`${this.#decoder.end()}\n\n`);
    this.#isOver = true;
    return items;
  }

  #read(text: string): SseItem[] {
    if (this.#isOver || text === '') return [];
    // The parser knows a byte order mark only as three separate bytes.
    const isMarked = !this.#hasBegun && text.startsWith('\uFEFF');
    this.#hasBegun = true;
    this.#parser.feed(isMarked ? text.slice(1) : text);
    const items = this.#items;
    this.#items = [];
    return items;
  }

  #add(item: SseItem): void {
    if (!this.#isOver) this.#items.push(item);
  }

  #stop(): void {
    this.#add({ type: 'too-long', maxLength: this.#maxLength });
    this.#isOver = true;
  }
}
