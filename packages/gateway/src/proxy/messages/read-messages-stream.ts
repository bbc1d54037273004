import type { JsonObject } from '@holdfast/core';
import { isObject } from '../json/json-fields.ts';
import { quoteText } from '../json/quote-text.ts';
import { readJsonObject } from '../json/read-json-object.ts';
import { SseReader } from '../sse-reader.ts';
import type { SseItem } from '../sse-reader.ts';
import type { UpstreamEvent, UpstreamFrame } from '../turn/upstream-event.ts';
import type { Usage } from '../turn/usage.ts';
import { MessagesBlockReader } from './messages-block-reader.ts';
import { readMessagesError } from './messages-errors.ts';
import { readMessagesUsage } from './messages-usage.ts';
import { readStopReason } from './stop-reason.ts';

/**
 * Reads the stream of an upstream that speaks Anthropic's Messages. It never throws: what cannot be read is
 * an `error` event that says what arrived.
 */
export class MessagesStreamReader {
  readonly #sse = new SseReader();
  readonly #blocks = new MessagesBlockReader();
  #usage: Usage | undefined;

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
    const events = body === undefined ? readBare(data) : this.#readEvent(body, name);
    return { events, data, body, ...(name !== undefined && { eventName: name }) };
  }

  #readEvent(body: JsonObject, name: string | undefined): UpstreamEvent[] {
    const { type = name, index, delta, content_block: block } = body;
    switch (type) {
      case 'message_start':
        return this.#readStart(body['message']);
      case 'content_block_start':
        return isObject(block) ? this.#blocks.start(index, block) : [];
      case 'content_block_delta':
        return isObject(delta) ? this.#blocks.delta(index, delta) : [];
      case 'content_block_stop':
        return this.#blocks.stop(index);
      case 'message_delta':
        return [...this.#blocks.flush(), ...readFinish(delta), ...this.#readUsage(body)];
      case 'message_stop':
        return [...this.#blocks.flush(), { type: 'done' }];
      default: {
        const isError = type === 'error' || (type === undefined && body['error'] !== undefined);
        return isError ? [{ type: 'error', error: readMessagesError(body) }] : [];
      }
    }
  }

  #readStart(message: unknown): UpstreamEvent[] {
    if (!isObject(message)) return [];
    return [readStart(message), ...this.#readUsage(message), ...this.#readBlocks(message)];
  }

  /** Some servers have content in the message they start with. */
  #readBlocks({ content }: JsonObject): UpstreamEvent[] {
    return readWholeBlocks(content, this.#blocks);
  }

  #readUsage({ usage }: JsonObject): UpstreamEvent[] {
    const read = readMessagesUsage(usage, this.#usage);
    if (read === undefined) return [];
    this.#usage = read;
    return [{ type: 'usage', usage: read }];
  }
}

/** The `start` of a message, in a stream or whole. */
export function readStart({ id, model }: JsonObject): UpstreamEvent {
  return {
    type: 'start',
    id: typeof id === 'string' ? id : '',
    model: typeof model === 'string' ? model : '',
  };
}

/** Reads why a message ended, from what holds `stop_reason`. */
export function readFinish(value: unknown): UpstreamEvent[] {
  if (!isObject(value)) return [];
  const { stop_reason: word, stop_sequence: sequence } = value;
  if (typeof word !== 'string') return [];
  const reason = readStopReason(word);
  const stopSequence = typeof sequence === 'string' ? { stopSequence: sequence } : {};
  return [{ type: 'finish', choice: 0, reason, ...stopSequence }];
}

/** Reads blocks that are there as a whole. */
export function readWholeBlocks(content: unknown, blocks: MessagesBlockReader): UpstreamEvent[] {
  if (typeof content === 'string')
    return content === '' ? [] : [{ type: 'text', choice: 0, text: content }];
  if (!Array.isArray(content)) return [];
  return content
    .filter(isObject)
    .flatMap((block) => [...blocks.start(undefined, block), ...blocks.flush()]);
}

/** Data that is no JSON object. */
function readBare(data: string): UpstreamEvent[] {
  if (data.trim() === '[DONE]') return [{ type: 'done' }];
  return data.trim() === '' ? [] : [unreadable(data)];
}

function unreadable(data: string): UpstreamEvent {
  return failure(`the upstream sent what is no event of a Messages stream: ${quoteText(data)}`);
}

function failure(message: string): UpstreamEvent {
  return { type: 'error', error: { kind: 'upstream', message } };
}
