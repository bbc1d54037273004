import type { JsonObject } from '@holdfast/core';
import type { AnswerReader } from '../client-protocol.ts';
import { isObject, objectOf } from '../json/json-fields.ts';
import { quoteText } from '../json/quote-text.ts';
import { readJsonObject } from '../json/read-json-object.ts';
import { SseReader } from '../sse-reader.ts';
import type { SseItem } from '../sse-reader.ts';
import type { UpstreamEvent, UpstreamFrame } from '../turn/upstream-event.ts';
import { ItemsReader } from './items-reader.ts';
import { readResponseEnd, readResponseStart } from './response-end.ts';
import { readResponsesError } from './responses-failure.ts';

/**
 * Reads the stream of an upstream that speaks OpenAI's Responses. It never throws: what cannot be read is an
 * `error` event that says what arrived.
 */
export class ResponsesStreamReader implements AnswerReader {
  readonly #sse: SseReader;
  readonly #items = new ItemsReader();
  #hasStarted = false;
  #isOver = false;

  constructor(maxEventCharacters?: number) {
    this.#sse = new SseReader(maxEventCharacters);
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
      const message = `the upstream sent an event of more than ${item.maxLength} characters`;
      return { events: [failure(message)], data: '', body: undefined };
    }
    if (item.type === 'stray-line') {
      const events = item.line.trimStart().startsWith('{') ? [unreadable(item.line)] : [];
      return { events, data: item.line, body: undefined };
    }
    const { data, name } = item;
    const body = readJsonObject(data);
    const events = body === undefined ? this.#readBare(data) : this.#readEvent(body, name);
    return { events, data, body, ...(name !== undefined && { eventName: name }) };
  }

  /** Data that is no JSON object. */
  #readBare(data: string): UpstreamEvent[] {
    if (data.trim() === '') return [];
    if (data.trim() !== '[DONE]') return this.#isOver ? [] : [unreadable(data)];
    return this.#isOver ? [] : this.#finish([{ type: 'done' }]);
  }

  #readEvent(said: JsonObject, name: string | undefined): UpstreamEvent[] {
    if (this.#isOver) return [];
    const { type = name ?? null } = said;
    const body = said['type'] === undefined ? { ...said, type } : said;
    const response = objectOf(body['response']);
    switch (type) {
      case 'response.created':
      case 'response.queued':
      case 'response.in_progress':
        return this.#readStart(response);
      case 'response.completed':
      case 'response.incomplete':
      case 'response.done':
        return this.#readEnd(response, type);
      case 'response.failed':
      case 'response.cancelled':
        return this.#finish([{ type: 'error', error: readResponsesError(response) }]);
      case 'error':
        return this.#finish([{ type: 'error', error: readResponsesError(body) }]);
      default:
        // An error without a name of its own.
        return type === null && isObject(body['error'])
          ? this.#finish([{ type: 'error', error: readResponsesError(body) }])
          : this.#items.read(body);
    }
  }

  #readStart(response: JsonObject): UpstreamEvent[] {
    if (this.#hasStarted) return [];
    this.#hasStarted = true;
    return [readResponseStart(response)];
  }

  #readEnd(response: JsonObject, type: string): UpstreamEvent[] {
    if (response['status'] === 'failed')
      return this.#finish([{ type: 'error', error: readResponsesError(response) }]);
    const status = type === 'response.incomplete' ? 'incomplete' : (response['status'] ?? null);
    const rest = this.#items.readOutput(response['output']);
    const end = readResponseEnd({ ...response, status }, this.#items.hasCalls);
    return this.#finish([...rest, ...end]);
  }

  #finish(events: UpstreamEvent[]): UpstreamEvent[] {
    this.#isOver = true;
    return events;
  }
}

function unreadable(data: string): UpstreamEvent {
  return failure(`the upstream sent what is no event of a Responses stream: ${quoteText(data)}`);
}

function failure(message: string): UpstreamEvent {
  return { type: 'error', error: { kind: 'upstream', message } };
}
