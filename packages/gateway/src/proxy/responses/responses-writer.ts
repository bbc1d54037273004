import type { JsonObject, JsonValue } from '@holdfast/core';
import { isObject, listOf, objectOf, textOf } from '../json/json-fields.ts';
import type { TurnWriter } from '../turn-writer.ts';
import { sameEvents } from '../turn/same-events.ts';
import type { FinishReason } from '../turn/finish-reason.ts';
import type { TurnError } from '../turn/turn-error.ts';
import type { TurnEvent } from '../turn/turn-event.ts';
import type { UpstreamEvent, UpstreamFrame } from '../turn/upstream-event.ts';
import type { Usage } from '../turn/usage.ts';
import { ResponseEnvelope } from './response-envelope.ts';
import type { ResponseStart } from './response-envelope.ts';
import { writeResponseEvent, writeResponseEvents } from './response-event.ts';
import type { ResponseEvent } from './response-event.ts';
import { ResponseItems } from './response-items.ts';
import type { ResponseOptions } from './response-options.ts';
import { requestTools } from './request-tools.ts';
import { errorEvent, responseError } from './responses-failure.ts';
import { isSoundUsage } from './responses-usage.ts';

/**
 * Writes a turn as a stream of OpenAI's Responses, whatever its upstream speaks. A Responses upstream's own
 * events pass as they came until something is changed or was wrong; from there on they are written anew, as
 * the places and numbers behind the change are others.
 */
export class ResponsesWriter implements TurnWriter {
  readonly #options: ResponseOptions;
  readonly #envelope: ResponseEnvelope;
  readonly #items: ResponseItems;
  #out = '';
  #nextNumber = 0;
  #isPassing = true;
  /** The start of a message that is still empty: if its text turns out to be a call, there is no such message. */
  readonly #held: UpstreamFrame[] = [];
  #responseId: string | undefined;
  #hasStarted = false;
  #reason: FinishReason | undefined;
  #usage: Usage | undefined;
  #isOver = false;

  constructor(options: ResponseOptions) {
    this.#options = options;
    this.#envelope = new ResponseEnvelope(options);
    this.#envelope.prepare();
    const tools = requestTools(options.request.body);
    this.#items = new ResponseItems(
      (event) => this.#send(event),
      tools,
      (prefix) => options.nextId(prefix),
    );
  }

  write(events: readonly TurnEvent[], frame: UpstreamFrame): string {
    if (this.#isPassing && !(sameEvents(events, frame.events) && this.#pass(frame))) {
      this.#isPassing = false;
      for (const late of this.#held.splice(0)) this.#rewrite(late.events.filter(isTold), late);
    }
    if (!this.#isPassing) this.#rewrite(events, frame);
    return this.#takeOut();
  }

  end(): string {
    if (!this.#isOver) {
      if (this.#reason === undefined) this.#fail(ENDED_EARLY);
      else this.#close();
    }
    return this.#takeOut();
  }

  // ── as it came ────────────────────────────────────────────────────────────────────────────────

  /** Returns false, having sent nothing of it, where a client would stumble over the frame as it is. */
  #pass(frame: UpstreamFrame): boolean {
    const { body } = frame;
    if (body === undefined) {
      if (frame.events.length > 0 && !this.#isOver) return false;
      if (frame.data.trim() === '[DONE]') this.#out += 'data: [DONE]\n\n';
      return true;
    }
    if (this.#isOver) return true;
    const { type } = body;
    if (body['sequence_number'] !== this.#nextNumber + this.#held.length) return false;
    if (isStartOfText(body)) {
      this.#held.push(frame);
      return true;
    }
    for (;;) {
      const [held] = this.#held;
      if (held === undefined) break;
      if (!this.#passOne(held, objectOf(held.body))) return false;
      this.#held.shift();
    }
    return typeof type === 'string' && this.#passOne(frame, body);
  }

  #passOne(frame: UpstreamFrame, body: JsonObject): boolean {
    if (!this.#fits(frame, body)) return false;
    this.#sendRaw(frame.data, body);
    return true;
  }

  #fits(frame: UpstreamFrame, body: JsonObject): boolean {
    const { type, response } = body;
    switch (type) {
      case 'response.created':
        if (this.#hasStarted || !isSoundStart(response)) return false;
        this.#hasStarted = true;
        this.#responseId = textOf(objectOf(response)['id']);
        this.#envelope.adopt(response);
        this.#tellStart(frame);
        return true;
      case 'response.in_progress':
      case 'response.queued':
        return this.#hasStarted && objectOf(response)['id'] === this.#responseId;
      case 'response.completed':
      case 'response.incomplete':
        if (!this.#isSoundEnd(frame, response)) return false;
        this.#isOver = true;
        this.#options.onOutput?.(listOf(objectOf(response)['output']));
        return true;
      case 'response.failed':
      case 'error':
        // Not all clients take either for an error, so both are written.
        return false;
      default:
        if (!this.#hasStarted) return false;
        if (body['output_index'] !== undefined) return this.#items.follow(body);
        return frame.events.length === 0 && isForeign(type);
    }
  }

  #tellStart({ events }: UpstreamFrame): void {
    for (const event of events) if (event.type === 'start') this.#envelope.begin(event);
  }

  #isSoundEnd(frame: UpstreamFrame, value: JsonValue | undefined): boolean {
    const { id, output, usage } = objectOf(value);
    if (!this.#hasStarted || id !== this.#responseId || this.#items.isOpen) return false;
    const isTold = listOf(output).length === this.#items.output().length && Array.isArray(output);
    return isTold && isSoundUsage(usage) && frame.events.some(({ type }) => type === 'finish');
  }

  // ── anew ──────────────────────────────────────────────────────────────────────────────────────

  #rewrite(events: readonly TurnEvent[], frame: UpstreamFrame): void {
    const { body } = frame;
    if (isObject(body?.['response'])) this.#envelope.adopt(body['response']);
    for (const event of events) {
      if (this.#isOver) return;
      // Responses has one answer to a request.
      if (!('choice' in event) || event.choice === 0) this.#tell(event);
    }
    if (events.length === 0 && body !== undefined) this.#passForeign(body);
  }

  #tell(event: TurnEvent): void {
    switch (event.type) {
      case 'start':
        this.#start(event);
        break;
      case 'usage':
        this.#usage = event.usage;
        break;
      case 'finish':
        this.#reason = event.reason;
        break;
      case 'done':
        this.#close();
        break;
      case 'error':
        this.#fail(event.error);
        break;
      default:
        this.#start();
        this.#items.tell(event);
    }
  }

  /** What holds no content of ours, such as a sign of life. */
  #passForeign(body: JsonObject): void {
    const { type, output_index: index, item_id: id } = body;
    if (this.#isOver || !this.#hasStarted || !isForeign(type)) return;
    if (index === undefined && id === undefined) this.#send({ ...body, type: textOf(type) });
  }

  #start(start?: ResponseStart): void {
    if (this.#hasStarted) return;
    this.#hasStarted = true;
    this.#envelope.begin(start);
    const response = this.#envelope.inProgress();
    this.#out += writeResponseEvents(STARTS, response, this.#nextNumber);
    this.#nextNumber += STARTS.length;
  }

  #close(): void {
    // An item that ends looks like a call to be run, even where its arguments are cut.
    if (this.#items.hasOpenCalls) {
      this.#fail(CUT_CALL);
      return;
    }
    this.#start();
    const reason = this.#reason ?? 'stop';
    const isCut = reason === 'length' || reason === 'content-filter';
    this.#items.close(isCut ? 'incomplete' : 'completed');
    const output = this.#items.output();
    this.#options.onOutput?.(output);
    const response = this.#envelope.ended({ output, reason, usage: this.#usage });
    this.#send({ type: isCut ? 'response.incomplete' : 'response.completed', response });
    this.#isOver = true;
  }

  #fail(failure: TurnError): void {
    this.#start();
    const error = responseError(failure);
    this.#send(errorEvent(error));
    const response = this.#envelope.failed(error, this.#items.output());
    this.#send({ type: 'response.failed', response });
    this.#isOver = true;
  }

  #send(event: ResponseEvent): void {
    this.#out += writeResponseEvent(event, this.#nextNumber++);
  }

  #sendRaw(data: string, body: JsonObject): void {
    this.#nextNumber++;
    // Data of several lines would need a field for each.
    const line = data.includes('\n') ? JSON.stringify(body) : data;
    this.#out += `event: ${textOf(body['type'])}\ndata: ${line}\n\n`;
  }

  #takeOut(): string {
    const out = this.#out;
    this.#out = '';
    return out;
  }
}

const STARTS = ['response.created', 'response.in_progress'] as const;

const ENDED_EARLY: TurnError = Object.freeze({
  kind: 'upstream',
  message: 'the upstream ended its answer without saying that it is complete',
});

const CUT_CALL: TurnError = Object.freeze({
  kind: 'upstream',
  message: 'the upstream ended its answer inside a call, which was not run',
});

function isTold(event: UpstreamEvent): event is Exclude<UpstreamEvent, { type: 'call-fragment' }> {
  return event.type !== 'call-fragment';
}

/** Whether an event has no place in the order of a stream, which is ours to keep, and a name that is one. */
function isForeign(type: JsonValue | undefined): boolean {
  return typeof type === 'string' && /^\w[\w.]*$/.test(type) && !FRAMING.has(type);
}

const FRAMING: ReadonlySet<string> = new Set([
  'response.created',
  'response.in_progress',
  'response.queued',
  'response.completed',
  'response.incomplete',
  'response.failed',
  'response.cancelled',
  'response.output_item.added',
  'response.output_item.done',
  'error',
]);

/** The two events in which a message begins, without any of its text. */
function isStartOfText({ type, item, part }: JsonObject): boolean {
  if (type === 'response.output_item.added') return objectOf(item)['type'] === 'message';
  return type === 'response.content_part.added' && objectOf(part)['type'] === 'output_text';
}

/** What OpenAI's SDK and the AI SDK read of the start of a response. */
function isSoundStart(value: JsonValue | undefined): boolean {
  const { id, model, created_at: created, output } = objectOf(value);
  const isEmpty = Array.isArray(output) && output.length === 0;
  return textOf(id) !== '' && textOf(model) !== '' && typeof created === 'number' && isEmpty;
}
