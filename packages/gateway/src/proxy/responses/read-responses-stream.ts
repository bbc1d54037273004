import type { JsonObject } from '@holdfast/core';
import type { AnswerReader } from '../client-protocol.ts';
import { isObject, objectOf } from '../json/json-fields.ts';
import { NamedEventFrames } from '../named-event-frames.ts';
import type { UpstreamEvent, UpstreamFrame } from '../turn/upstream-event.ts';
import { ItemsReader } from './items-reader.ts';
import { readResponseEnd, readResponseStart } from './response-end.ts';
import { readResponsesError } from './responses-failure.ts';

/** Reads the stream of an upstream that speaks OpenAI's Responses. */
export class ResponsesStreamReader implements AnswerReader {
  readonly #frames: NamedEventFrames;
  readonly #items = new ItemsReader();
  #hasStarted = false;
  #isOver = false;

  constructor(maxResponseBytes?: number) {
    this.#frames = new NamedEventFrames(
      {
        protocol: 'Responses',
        readEvent: (body, name) => this.#readEvent(body, name),
        readBare: (data) => this.#readBare(data),
      },
      maxResponseBytes,
    );
  }

  feed(bytes: Uint8Array): UpstreamFrame[] {
    return this.#frames.feed(bytes);
  }

  end(): UpstreamFrame[] {
    return this.#frames.end();
  }

  #readBare(data: string): UpstreamEvent[] | undefined {
    if (this.#isOver) return [];
    return data === '[DONE]' ? this.#finish([{ type: 'done' }]) : undefined;
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
