import type { JsonObject, JsonValue } from '@holdfast/core';
import { isObject, objectOf, textOf } from '../json/json-fields.ts';
import { sameEvents } from '../turn/same-events.ts';
import type { TurnWriter } from '../turn-writer.ts';
import type { TurnError } from '../turn/turn-error.ts';
import type { TurnEvent } from '../turn/turn-event.ts';
import type { UpstreamFrame } from '../turn/upstream-event.ts';
import type { Usage } from '../turn/usage.ts';
import { MessageBlocks } from './message-blocks.ts';
import { messagesErrorEvent } from './messages-errors.ts';
import { writeMessagesEvent } from './messages-event.ts';
import type { MessagesEvent } from './messages-event.ts';
import { messageEnd, messageStart } from './message-frame.ts';
import type { MessageOptions } from './message-frame.ts';

type Finish = Extract<TurnEvent, { type: 'finish' }>;

/**
 * Writes a turn as a stream of Anthropic's Messages, whatever its upstream speaks. A Messages upstream's own
 * events pass as they came until something is changed or was wrong; from there on they are written anew, as
 * the indexes behind the change are others.
 */
export class MessagesWriter implements TurnWriter {
  readonly #options: MessageOptions;
  readonly #blocks = new MessageBlocks((event) => this.#send(event));
  #out = '';
  #isPassing = true;
  /** The start of a block that is still empty: if its text turns out to be a call, there is no such block. */
  #held: UpstreamFrame | undefined;
  #hasStarted = false;
  #finish: Finish | undefined;
  /** The upstream's own `message_delta`, for the fields that we do not know. */
  #upstreamEnd: JsonObject | undefined;
  #usage: Usage | undefined;
  #hasToldFinish = false;
  #isOver = false;

  constructor(options: MessageOptions) {
    this.#options = options;
  }

  write(events: readonly TurnEvent[], frame: UpstreamFrame): string {
    if (!this.#isPassing || !sameEvents(events, frame.events) || !this.#pass(frame)) {
      this.#isPassing = false;
      this.#held = undefined;
      this.#rewrite(events, frame);
    }
    return this.#takeOut();
  }

  end(): string {
    if (!this.#isOver) {
      if (this.#hasToldFinish || this.#finish !== undefined) this.#close();
      else this.#fail(ENDED_EARLY);
    }
    return this.#takeOut();
  }

  // ── as it came ────────────────────────────────────────────────────────────────────────────────

  /** Returns false, having sent nothing of it, where a client would stumble over the frame as it is. */
  #pass(frame: UpstreamFrame): boolean {
    const { body } = frame;
    if (this.#isOver) return true;
    if (body === undefined) return frame.events.length === 0;
    switch (body['type']) {
      case 'message_start':
        if (this.#hasStarted || !isSoundStart(body)) return false;
        this.#hasStarted = true;
        break;
      case 'content_block_start':
      case 'content_block_delta':
      case 'content_block_stop':
        return this.#passBlock(frame, body);
      case 'message_delta':
        if (!this.#hasStarted || this.#hasToldFinish || !this.#isSoundEnd(frame, body))
          return false;
        this.#hasToldFinish = true;
        break;
      case 'message_stop':
        if (!this.#hasToldFinish) return false;
        this.#isOver = true;
        break;
      case 'error':
        if (!isObject(body['error'])) return false;
        this.#isOver = true;
        break;
      default:
        // Pings, and what only the upstream and the client understand.
        if (frame.events.length > 0 || !isForeign(body['type'])) return false;
    }
    this.#sendRaw(frame, body);
    return true;
  }

  #passBlock(frame: UpstreamFrame, body: JsonObject): boolean {
    if (!this.#hasStarted || this.#hasToldFinish) return false;
    const held = this.#held;
    if (body['type'] === 'content_block_start') {
      if (held !== undefined) return false;
      if (frame.events.length === 0) {
        this.#held = frame;
        return true;
      }
    }
    if (held?.body !== undefined) {
      this.#held = undefined;
      if (!this.#blocks.follow(held.body)) return false;
      this.#sendRaw(held, held.body);
    }
    if (!this.#blocks.follow(body)) return false;
    this.#sendRaw(frame, body);
    return true;
  }

  #isSoundEnd(frame: UpstreamFrame, body: JsonObject): boolean {
    const { output_tokens: output } = objectOf(body['usage']);
    const isFinish = frame.events.some(({ type }) => type === 'finish');
    return isFinish && typeof output === 'number' && !this.#blocks.isOpen && !this.#held;
  }

  // ── anew ──────────────────────────────────────────────────────────────────────────────────────

  #rewrite(events: readonly TurnEvent[], frame: UpstreamFrame): void {
    const { body } = frame;
    if (body?.['type'] === 'message_delta') this.#upstreamEnd = body;
    for (const event of events) {
      if (this.#isOver) return;
      // Messages has one answer to a request.
      if (!('choice' in event) || event.choice === 0) this.#tell(event, body);
    }
    // What holds no content of ours, such as a ping.
    if (events.length === 0 && body !== undefined && !this.#isOver && isForeign(body['type']))
      this.#sendRaw(frame, body);
  }

  #tell(event: TurnEvent, body: JsonObject | undefined): void {
    switch (event.type) {
      case 'start':
        this.#start(event, objectOf(body?.['message']));
        break;
      case 'usage':
        this.#usage = event.usage;
        break;
      case 'finish':
        this.#finish = event;
        break;
      case 'done':
        this.#close();
        break;
      case 'error':
        this.#fail(event.error);
        break;
      default:
        if (this.#hasToldFinish) return;
        this.#start();
        this.#blocks.tell(event);
    }
  }

  #start(event = { id: '', model: '' }, upstream: JsonObject = {}): void {
    if (this.#hasStarted) return;
    this.#hasStarted = true;
    this.#send({ type: 'message_start', message: messageStart(event, upstream, this.#options) });
  }

  #close(): void {
    // A block that ends looks like a call to be run, even where its arguments are cut.
    if (this.#blocks.hasOpenCalls) {
      this.#fail(CUT_CALL);
      return;
    }
    if (!this.#hasToldFinish) {
      this.#start();
      this.#blocks.close();
      const end = { finish: this.#finish, usage: this.#usage, calls: this.#blocks.callCount };
      this.#send({ type: 'message_delta', ...messageEnd(end, this.#upstreamEnd, this.#options) });
    }
    this.#send({ type: 'message_stop' });
    this.#isOver = true;
  }

  #fail(error: TurnError): void {
    this.#send(messagesErrorEvent(error, this.#options.requestId));
    this.#isOver = true;
  }

  #send(event: MessagesEvent): void {
    this.#out += writeMessagesEvent(event);
  }

  /** The name is told even where the upstream forgot it: Anthropic's SDK ignores events without. */
  #sendRaw({ data }: UpstreamFrame, body: JsonObject): void {
    const name = textOf(body['type']);
    // Data of several lines would need a field for each.
    this.#out += `event: ${name}\ndata: ${data.includes('\n') ? JSON.stringify(body) : data}\n\n`;
  }

  #takeOut(): string {
    const out = this.#out;
    this.#out = '';
    return out;
  }
}

const ENDED_EARLY: TurnError = Object.freeze({
  kind: 'upstream',
  message: 'the upstream ended its answer without saying that it is complete',
});

const CUT_CALL: TurnError = Object.freeze({
  kind: 'upstream',
  message: 'the upstream ended its answer inside a call, which was not run',
});

const FRAMING: ReadonlySet<JsonValue | undefined> = new Set([
  'message_start',
  'content_block_start',
  'content_block_delta',
  'content_block_stop',
  'message_delta',
  'message_stop',
  'error',
]);

/** Whether an event has no place in the order of a stream, which is ours to keep, and a name that is one. */
function isForeign(type: JsonValue | undefined): boolean {
  return typeof type === 'string' && /^\w+$/.test(type) && !FRAMING.has(type);
}

/** What Anthropic's SDK reads of the start of a message; it throws without `usage`. */
function isSoundStart(body: JsonObject): boolean {
  const { id, role, content, usage } = objectOf(body['message']);
  const { input_tokens: input, output_tokens: output } = objectOf(usage);
  const isEmpty = Array.isArray(content) && content.length === 0;
  const hasUsage = typeof input === 'number' && typeof output === 'number';
  return textOf(id) !== '' && role === 'assistant' && isEmpty && hasUsage;
}
