import type { JsonObject } from '@holdfast/core';
import type { AnswerReader } from './client-protocol.ts';
import { quoteText } from './json/quote-text.ts';
import { readJsonObject } from './json/read-json-object.ts';
import { SseReader } from './sse-reader.ts';
import type { SseItem } from './sse-reader.ts';
import type { UpstreamEvent, UpstreamFrame } from './turn/upstream-event.ts';

/** What the events of a protocol mean. */
export interface NamedEvents {
  /** The protocol, for messages. */
  readonly protocol: string;
  readEvent(body: JsonObject, name: string | undefined): readonly UpstreamEvent[];
  /** Data that is no JSON object; undefined where it has no meaning. */
  readBare(data: string): readonly UpstreamEvent[] | undefined;
}

/**
 * Reads a stream of JSON objects with names, as Messages and Responses are told. It never throws: what cannot be
 * read is an `error` event that says what arrived.
 */
export class NamedEventFrames implements AnswerReader {
  readonly #events: NamedEvents;
  readonly #sse: SseReader;

  constructor(events: NamedEvents, maxResponseBytes?: number) {
    this.#events = events;
    this.#sse = new SseReader(maxResponseBytes);
  }

  feed(bytes: Uint8Array): UpstreamFrame[] {
    return this.#sse.feed(bytes).map((item) => this.#readItem(item));
  }

  /** The upstream has ended. What it left half written is no event. */
  end(): UpstreamFrame[] {
    const items = this.#sse.end();
    return items
      .filter((item) => item.type === 'event' && readJsonObject(item.data) !== undefined)
      .map((item) => this.#readItem(item));
  }

  #readItem(item: SseItem): UpstreamFrame {
    if (item.type === 'too-long') {
      return { events: [failure(item.message)], data: '', body: undefined };
    }
    if (item.type === 'stray-line') {
      const events = item.line.trimStart().startsWith('{') ? [this.#unreadable(item.line)] : [];
      return { events, data: item.line, body: undefined };
    }
    const { data, name } = item;
    const body = readJsonObject(data);
    const events = body === undefined ? this.#readBare(data) : this.#events.readEvent(body, name);
    return { events, data, body, ...(name !== undefined && { eventName: name }) };
  }

  #readBare(data: string): readonly UpstreamEvent[] {
    if (data.trim() === '') return [];
    return this.#events.readBare(data.trim()) ?? [this.#unreadable(data)];
  }

  #unreadable(data: string): UpstreamEvent {
    const what = `no event of a ${this.#events.protocol} stream`;
    return failure(`the upstream sent what is ${what}: ${quoteText(data)}`);
  }
}

function failure(message: string): UpstreamEvent {
  return { type: 'error', error: { kind: 'upstream', message } };
}
