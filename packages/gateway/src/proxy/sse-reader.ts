import { StringDecoder } from 'node:string_decoder';
import { createParser } from 'eventsource-parser';
import type { EventSourceParser } from 'eventsource-parser';
import { CONFIG_DEFAULTS } from '../config/config-defaults.ts';
import { jsonExcess, maxValuesOf } from './json/json-meter.ts';

/** What a stream of server-sent events brings. */
export type SseItem =
  | { readonly type: 'event'; readonly data: string; readonly name?: string }
  /** A line that is no field of an event: some servers write their errors so. */
  | { readonly type: 'stray-line'; readonly line: string }
  /** An event has more characters, or more JSON values, than one may. Nothing is read after it. */
  | { readonly type: 'too-long'; readonly message: string };

/** How much of the limit of a response one event may have. */
const EVENT_SHARE = 4;

/**
 * Turns bytes, cut anywhere, into server-sent events: what they are, and whether one is too long, does not depend on
 * the cuts. Comments, which keep connections alive, are left out.
 */
export class SseReader {
  readonly #decoder = new StringDecoder('utf8');
  readonly #parser: EventSourceParser;
  readonly #maxLength: number;
  #items: SseItem[] = [];
  #hasBegun = false;
  #isOver = false;
  /** Whether a carriage return came last, of which a line feed may be the other half. */
  #endedInReturn = false;
  /** The characters of the event so far, in all its lines. */
  #length = 0;
  #isLineEmpty = true;

  /** `maxResponseBytes` is the limit of the response. */
  constructor(maxResponseBytes: number = CONFIG_DEFAULTS.proxy.maxResponseBytes) {
    this.#maxLength = Math.floor(maxResponseBytes / EVENT_SHARE);
    this.#parser = createParser({
      onEvent: ({ data, event }) => {
        if (this.#isOver) return;
        if (jsonExcess(data, this.#maxLength) === 'values') {
          this.#stop(`${maxValuesOf(this.#maxLength)} JSON values`);
          return;
        }
        this.#items.push({ type: 'event', data, ...(event !== undefined && { name: event }) });
      },
      onError: ({ line }) => {
        if (line !== undefined) this.#items.push({ type: 'stray-line', line });
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
    const lines = this.#withLineFeeds(isMarked ? text.slice(1) : text);
    const fits = this.#fit(lines);
    this.#parser.feed(fits === lines.length ? lines : lines.slice(0, fits));
    if (fits < lines.length) {
      this.#stop(`${this.#maxLength} characters`);
    }
    const items = this.#items;
    this.#items = [];
    return items;
  }

  #stop(limit: string): void {
    const why = 'the most that one event may have: a quarter of proxy.maxResponseBytes';
    this.#items.push({
      type: 'too-long',
      message: `the upstream sent an event of more than ${limit}, ${why}`,
    });
    this.#isOver = true;
  }

  /** The parser waits for more behind a carriage return, and would tell a line later than it came. */
  #withLineFeeds(text: string): string {
    const rest = this.#endedInReturn && text.startsWith('\n') ? text.slice(1) : text;
    this.#endedInReturn = text.endsWith('\r');
    return rest.includes('\r') ? rest.replace(/\r\n?/g, '\n') : rest;
  }

  /** How much of the text may be read before an event is too long. */
  #fit(text: string): number {
    for (let from = 0; ;) {
      const end = text.indexOf('\n', from);
      const length = (end < 0 ? text.length : end) - from;
      if (this.#length + length > this.#maxLength) return from + this.#maxLength - this.#length;
      this.#length += length;
      this.#isLineEmpty &&= length === 0;
      if (end < 0) return text.length;
      if (this.#isLineEmpty) this.#length = 0;
      this.#isLineEmpty = true;
      from = end + 1;
    }
  }
}
