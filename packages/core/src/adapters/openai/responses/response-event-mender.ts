import { isJsonObject } from '../../../parse/call-keys.ts';
import { callId } from '../../../internal/random.ts';
import type { JsonObject, JsonValue } from '../../../types.ts';
import { AnswerReader } from '../../reading/answer-reader.ts';
import type { AnswerContext, AnswerEvent } from '../../reading/answer-reader.ts';
import type { MendOptions } from '../../reading/mend-options.ts';
import type { PieceMender } from '../../reading/mend-stream.ts';
import { ANSWER_BROKE_OFF } from '../../wire/answer-broke-off.ts';
import { jsonTextOf, listOf, objectOf, textOf } from '../../wire/json-fields.ts';
import { wireEvent } from '../../wire/wire-event.ts';
import type { WireEvent } from '../../wire/wire-event.ts';
import { ReadItems } from './read-items.ts';
import type { ReadItem } from './read-items.ts';
import { ResponseItems } from './response-items.ts';

/** Mends a stream of OpenAI's Responses. */
export class ResponseEventMender implements PieceMender<WireEvent> {
  readonly #reader: AnswerReader;
  readonly #items: ResponseItems;
  readonly #read = new ReadItems();
  #out: WireEvent[] = [];
  #nextNumber = 0;
  /** What the server says of the text that is over, until what was held back of it is told. */
  #saidPart: JsonObject | undefined;
  #isMessageOver = false;
  /** What else the server says of the call that is being read. */
  #fields: JsonObject = {};
  #isOver = false;

  constructor(context: AnswerContext, options: MendOptions) {
    const { nextId = callId } = options;
    this.#items = new ResponseItems(
      (event) => this.#send(event),
      () => nextId(),
    );
    this.#reader = new AnswerReader(context, options, (event) => this.#tell(event));
  }

  read(event: WireEvent): readonly WireEvent[] {
    const { body } = event;
    if (this.#isOver || body === undefined) return [event];
    const type = textOf(body['type']);
    if (type === 'response.output_item.added') this.#start(body);
    else if (type === 'response.output_item.done') this.#finishItem(body);
    else if (type === 'response.completed' || type === 'response.incomplete') this.#complete(body);
    else if (type === 'response.failed' || type === 'error') this.#fail(body);
    else if (body['output_index'] === undefined && body['item_id'] === undefined) this.#send(body);
    else this.#readContent(type, body);
    return this.#takeOut();
  }

  end(how: 'over' | 'broken'): readonly WireEvent[] {
    if (this.#isOver) return [];
    this.#isOver = true;
    this.#close(true);
    const { message } = ANSWER_BROKE_OFF;
    if (how === 'over') this.#send({ type: 'error', code: 'server_error', message, param: null });
    return this.#takeOut();
  }

  /** Reads items that are whole. Returns what they became, when the answer is over. */
  readWhole(items: readonly JsonValue[], isCut: boolean): readonly JsonObject[] {
    for (const item of items) if (isJsonObject(item)) this.#readItem(item);
    this.#close(isCut);
    return this.#items.output;
  }

  // ── items ─────────────────────────────────────────────────────────────────────────────────────

  #start(body: JsonObject): void {
    this.#settle();
    const item = objectOf(body['item']);
    const isOurs = item['type'] === 'message' || item['type'] === 'function_call';
    if (item['type'] === 'message') this.#items.read(item);
    const index = isOurs ? -1 : this.#items.start(body);
    this.#read.add(body, item, index);
  }

  #finishItem(body: JsonObject): void {
    const item = objectOf(body['item']);
    const read = this.#read.find(body, item);
    if (read === undefined) this.#readItem(item);
    else this.#endItem(read, body, item);
  }

  /** An item that was not told before: all of it is here. */
  #readItem(item: JsonObject): void {
    this.#start({ type: 'response.output_item.added', item });
    const read = this.#read.latest;
    if (read !== undefined) this.#endItem(read, { type: 'response.output_item.done', item }, item);
  }

  #endItem(read: ReadItem, body: JsonObject, item: JsonObject): void {
    if (read.isEnded) return;
    read.isEnded = true;
    if (read.index >= 0) this.#items.finish(body, item, read.index);
    else if (item['type'] === 'message') this.#endMessage(read, item);
    else this.#endCall(read, { ...read.item, ...item });
  }

  #endMessage(read: ReadItem, item: JsonObject): void {
    this.#items.know(item);
    for (const [index, part] of listOf(item['content']).entries())
      if (isJsonObject(part)) this.#readPart(read, index, part);
    this.#isMessageOver = true;
  }

  #endCall(read: ReadItem, item: JsonObject, isCut = false): void {
    const { call_id: id, name, arguments: args } = item;
    const told = jsonTextOf(args);
    this.#fields = item;
    this.#reader.readCall(
      { id: textOf(id), name: textOf(name), json: told === '' ? read.json : told },
      isCut,
    );
    this.#fields = {};
  }

  // ── what is in them ───────────────────────────────────────────────────────────────────────────

  #readContent(type: string, body: JsonObject): void {
    const read = this.#read.find(body, {});
    const { delta, text, part } = body;
    const index = Number(body['content_index'] ?? 0);
    if (type.startsWith('response.reasoning')) this.#reader.noteReasoning(textOf(delta));
    if (read === undefined) return;
    if (read.index >= 0) this.#send({ ...body, output_index: read.index });
    else if (type === 'response.function_call_arguments.delta') read.json += jsonTextOf(delta);
    else if (type === 'response.function_call_arguments.done')
      read.json = jsonTextOf(body['arguments']) || read.json;
    else if (type === 'response.output_text.delta') this.#readText(read, index, textOf(delta));
    else if (type === 'response.output_text.done')
      this.#readPart(read, index, { type: 'output_text', text: text ?? '' });
    else if (type === 'response.content_part.done') this.#readPart(read, index, objectOf(part));
    else if (type === 'response.output_text.annotation.added')
      this.#items.message?.annotate(body['annotation'] ?? null);
    else if (type === 'response.refusal.delta') this.#refuse(read, index, textOf(delta));
  }

  #readText(read: ReadItem, index: number, text: string): void {
    if (read.partIndex !== index) this.#settle();
    read.beginPart(index);
    read.told += text.length;
    this.#reader.readText(text);
  }

  /** A part that is over: what of it was not told yet is read now. */
  #readPart(read: ReadItem, index: number, part: JsonObject): void {
    const { type, text, refusal } = part;
    if (type === 'refusal') {
      this.#refuse(read, index, textOf(refusal).slice(read.toldOf(index)));
      return;
    }
    if (type !== 'output_text' || read.isPast(index)) return;
    const rest = textOf(text).slice(read.toldOf(index));
    if (rest !== '') this.#readText(read, index, rest);
    else read.beginPart(index);
    this.#saidPart = { ...this.#saidPart, ...part };
    this.#reader.endText();
  }

  #refuse(read: ReadItem, index: number, text: string): void {
    if (text === '' || read.isPast(index)) return;
    if (read.partIndex !== index) this.#settle();
    read.beginPart(index);
    read.told += text.length;
    this.#items.say('refusal', text);
  }

  // ── the end ───────────────────────────────────────────────────────────────────────────────────

  #complete(body: JsonObject): void {
    const response = objectOf(body['response']);
    for (const [place, item] of listOf(response['output']).entries())
      if (isJsonObject(item) && !this.#read.knows(item, place)) this.#readItem(item);
    this.#isOver = true;
    const isCut = body['type'] === 'response.incomplete';
    this.#close(isCut);
    const status = isCut ? 'incomplete' : 'completed';
    this.#send({ ...body, response: { status, ...response, output: this.#items.output } });
  }

  #fail(body: JsonObject): void {
    this.#isOver = true;
    this.#close(true);
    this.#send(body);
  }

  #close(isCut: boolean): void {
    for (const read of this.#read.unended())
      if (read.item['type'] === 'function_call' && !isCut) this.#endCall(read, read.item);
    this.#reader.end(isCut);
    this.#endSaid(isCut ? 'incomplete' : 'completed');
    this.#items.end(isCut ? 'incomplete' : 'completed');
  }

  /** The answer goes on: what was held back of a text that is over belongs before it. */
  #settle(): void {
    this.#reader.settle();
    this.#endSaid('completed');
  }

  #endSaid(status: 'completed' | 'incomplete'): void {
    if (this.#saidPart !== undefined) this.#items.message?.endPart(this.#saidPart);
    this.#saidPart = undefined;
    if (this.#isMessageOver) this.#items.end(status);
    this.#isMessageOver = false;
  }

  #tell(event: AnswerEvent): void {
    if (event.type === 'text') this.#items.say('output_text', event.text);
    else if (event.type === 'reasoning') this.#items.say('summary_text', event.text);
    else this.#items.call(event.call, this.#fields);
  }

  #send(body: JsonObject): void {
    const event = { ...body, sequence_number: this.#nextNumber++ };
    this.#out.push(wireEvent(event, textOf(body['type'])));
  }

  #takeOut(): readonly WireEvent[] {
    const out = this.#out;
    this.#out = [];
    return out;
  }
}
