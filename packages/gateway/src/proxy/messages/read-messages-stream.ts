import type { JsonObject } from '@holdfast/core';
import type { AnswerReader } from '../client-protocol.ts';
import { isObject } from '../json/json-fields.ts';
import { NamedEventFrames } from '../named-event-frames.ts';
import type { UpstreamEvent, UpstreamFrame } from '../turn/upstream-event.ts';
import type { Usage } from '../turn/usage.ts';
import { MessagesBlockReader } from './messages-block-reader.ts';
import { readMessagesError } from './messages-errors.ts';
import { readMessagesUsage } from './messages-usage.ts';
import { readStopReason } from './stop-reason.ts';

/** Reads the stream of an upstream that speaks Anthropic's Messages. */
export class MessagesStreamReader implements AnswerReader {
  readonly #frames: NamedEventFrames;
  readonly #blocks = new MessagesBlockReader();
  #usage: Usage | undefined;

  constructor(maxResponseBytes?: number) {
    this.#frames = new NamedEventFrames(
      {
        protocol: 'Messages',
        readEvent: (body, name) => this.#readEvent(body, name),
        readBare: (data) => (data === '[DONE]' ? [{ type: 'done' }] : undefined),
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

  #readEvent(body: JsonObject, name: string | undefined): UpstreamEvent[] {
    const { type = name, index, delta, content_block: block } = body;
    switch (type) {
      case 'message_start':
        return this.#readStart(body);
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

  #readStart(body: JsonObject): UpstreamEvent[] {
    const { message } = body;
    if (!isObject(message)) return [];
    // Some servers have content in the message they start with.
    const content = readWholeBlocks(message['content'], this.#blocks);
    return [readStart(message), ...this.#readUsage(message), ...content];
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
