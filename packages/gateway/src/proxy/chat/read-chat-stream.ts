import type { JsonObject } from '@holdfast/core';
import { SseReader } from '../sse-reader.ts';
import type { SseItem } from '../sse-reader.ts';
import type { UpstreamEvent, UpstreamFrame } from '../turn/upstream-event.ts';
import { ChatChoices } from './chat-choices.ts';
import { listOf } from '../json/json-fields.ts';
import { quoteText } from '../json/quote-text.ts';
import { errorFrom, readChatError } from './read-chat-error.ts';
import { readChatStart } from './read-chat-start.ts';
import { readChatUsage } from './chat-usage.ts';
import { readJsonObject } from '../json/read-json-object.ts';

/** Reads a stream of Chat Completions, whatever is wrong with it: what cannot be read is an `error` event. */
export class ChatStreamReader {
  readonly #sse: SseReader;
  readonly #choices = new ChatChoices();
  #hasStarted = false;
  #isDone = false;
  #isEnding = false;

  constructor(maxResponseBytes?: number) {
    this.#sse = new SseReader(maxResponseBytes);
  }

  feed(bytes: Uint8Array): UpstreamFrame[] {
    return this.#read(this.#sse.feed(bytes));
  }

  /** The upstream has ended. Whether it said all is for the reader of the turn to judge. */
  end(): UpstreamFrame[] {
    this.#isEnding = true;
    const frames = this.#read(this.#sse.end());
    const events: UpstreamEvent[] = [];
    this.#choices.close(events);
    if (events.length > 0) frames.push({ events, data: '', body: undefined });
    return frames;
  }

  #read(items: readonly SseItem[]): UpstreamFrame[] {
    const frames: UpstreamFrame[] = [];
    for (const item of items) {
      const frame = this.#isDone ? undefined : this.#readItem(item);
      if (frame !== undefined) frames.push(frame);
    }
    return frames;
  }

  #readItem(item: SseItem): UpstreamFrame | undefined {
    switch (item.type) {
      case 'event':
        return this.#readEvent(item.data, item.name);
      case 'stray-line':
        return readStrayLine(item.line);
      case 'too-long':
        return failed('', item.message);
    }
  }

  #readEvent(data: string, eventName: string | undefined): UpstreamFrame | undefined {
    const text = data.trim();
    if (text === '') return undefined;
    if (text.startsWith('[DONE]')) return this.#readDone(data);
    const body = readJsonObject(data);
    if (body === undefined) return this.#readGarbage(data, eventName);
    const events: UpstreamEvent[] = [];
    const error = readChatError(body) ?? (eventName === 'error' ? errorFrom(body) : undefined);
    if (error === undefined) this.#readChunk(body, events);
    else events.push({ type: 'error', error });
    return { events, data, body, ...(eventName !== undefined && { eventName }) };
  }

  #readDone(data: string): UpstreamFrame {
    const events: UpstreamEvent[] = [];
    this.#isDone = true;
    this.#choices.close(events);
    events.push({ type: 'done' });
    return { events, data, body: undefined };
  }

  #readChunk(body: JsonObject, events: UpstreamEvent[]): void {
    const choices = body['choices'];
    if (!this.#hasStarted && listOf(choices).length > 0) {
      this.#hasStarted = true;
      events.push(readChatStart(body));
    }
    this.#choices.read(choices, events);
    const usage = readChatUsage(body['usage']);
    if (usage !== undefined) events.push({ type: 'usage', usage });
  }

  #readGarbage(data: string, eventName: string | undefined): UpstreamFrame | undefined {
    if (eventName === 'error')
      return failed(data, `the upstream failed, and said ${quoteText(data)}`);
    if (!this.#isEnding)
      return failed(data, `the upstream sent ${quoteText(data)}, and a JSON object was expected`);
    // A cut behind the finish reason loses numbers, not the answer.
    if (this.#choices.hasFinish) return undefined;
    return failed(data, `the upstream's stream broke off inside an event: ${quoteText(data)}`);
  }
}

/** Some servers write errors without `data:`, as `error: {…}` or as a bare object. */
function readStrayLine(line: string): UpstreamFrame | undefined {
  const data = line.startsWith('error:') ? line.slice('error:'.length).trim() : line;
  const body = readJsonObject(data);
  if (body === undefined) return undefined;
  const error = readChatError(body) ?? (data === line ? undefined : errorFrom(body));
  return error === undefined ? undefined : { events: [{ type: 'error', error }], data, body };
}

function failed(data: string, message: string): UpstreamFrame {
  return {
    events: [{ type: 'error', error: { kind: 'upstream', message } }],
    data,
    body: undefined,
  };
}
