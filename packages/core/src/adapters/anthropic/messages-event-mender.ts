import type { JsonObject } from '../../types.ts';
import { AnswerReader } from '../reading/answer-reader.ts';
import type { AnswerContext, AnswerEvent } from '../reading/answer-reader.ts';
import type { MendOptions } from '../reading/mend-options.ts';
import type { PieceMender } from '../reading/mend-stream.ts';
import { ANSWER_BROKE_OFF } from '../wire/answer-broke-off.ts';
import { countOf, jsonTextOf, objectOf, textOf } from '../wire/json-fields.ts';
import { wireEvent } from '../wire/wire-event.ts';
import type { WireEvent } from '../wire/wire-event.ts';
import { MessageBlocks } from './message-blocks.ts';
import { isCutBy, stopReasonFor } from './stop-reason.ts';

/** A block of the server's that is being read. */
type Block =
  | { readonly kind: 'text' }
  | { readonly kind: 'call'; readonly fields: JsonObject; json: string; whole: string }
  /** Passed on as it comes, under an index of its own. */
  | { readonly kind: 'other'; readonly index: number };

/** Mends a stream of Anthropic's Messages. */
export class MessagesEventMender implements PieceMender<WireEvent> {
  readonly #reader: AnswerReader;
  readonly #blocks: MessageBlocks;
  readonly #read = new Map<number, Block>();
  #latest: Block | undefined;
  #out: WireEvent[] = [];
  /** What else the server says of the call that is being read. */
  #fields: JsonObject = {};
  #hasFinish = false;
  #isOver = false;

  constructor(context: AnswerContext, options: MendOptions) {
    this.#blocks = new MessageBlocks((event) => this.#send(event));
    this.#reader = new AnswerReader(context, options, (event) => this.#tell(event));
  }

  read(event: WireEvent): readonly WireEvent[] {
    const { body } = event;
    if (this.#isOver || body === undefined) return [event];
    switch (body['type']) {
      case 'message_start':
        this.#send({ ...body, message: { usage: NO_USAGE, ...objectOf(body['message']) } });
        break;
      case 'content_block_start':
        this.#start(body);
        break;
      case 'content_block_delta':
        this.#delta(body);
        break;
      case 'content_block_stop':
        this.#stop(this.#blockOf(body));
        break;
      case 'message_delta':
        this.#finish(body);
        break;
      case 'message_stop':
        this.#isOver = true;
        if (!this.#hasFinish) this.#finish({ type: 'message_delta' });
        this.#send(body);
        break;
      case 'error':
        this.#isOver = true;
        this.#close(true);
        this.#send(body);
        break;
      default:
        this.#send(body);
    }
    return this.#takeOut();
  }

  end(how: 'over' | 'broken'): readonly WireEvent[] {
    if (this.#isOver) return [];
    this.#isOver = true;
    if (how === 'over' && this.#hasFinish) this.#send({ type: 'message_stop' });
    else {
      this.#close(true);
      const { message } = ANSWER_BROKE_OFF;
      if (how === 'over') this.#send({ type: 'error', error: { type: 'api_error', message } });
    }
    return this.#takeOut();
  }

  #start(body: JsonObject): void {
    const index = countOf(body['index']);
    // A block also ends where another begins in its place: some servers forget to say so.
    this.#stop(index === undefined ? this.#latest : this.#read.get(index));
    this.#reader.settle();
    this.#latest = this.#open(objectOf(body['content_block']));
    if (index !== undefined) this.#read.set(index, this.#latest);
  }

  #open(block: JsonObject): Block {
    if (block['type'] === 'text') {
      this.#blocks.read(block);
      this.#reader.readText(textOf(block['text']));
      return { kind: 'text' };
    }
    this.#blocks.end();
    if (block['type'] === 'tool_use')
      return { kind: 'call', fields: block, json: '', whole: jsonTextOf(block['input']) };
    this.#reader.noteReasoning(textOf(block['thinking']));
    return { kind: 'other', index: this.#blocks.start(block) };
  }

  #delta(body: JsonObject): void {
    const block = this.#blockOf(body);
    const delta = objectOf(body['delta']);
    const text = textOf(delta['text']);
    this.#reader.noteReasoning(textOf(delta['thinking']));
    if (block?.kind === 'other') this.#send({ ...body, index: block.index });
    else if (block?.kind === 'call') block.json += jsonTextOf(delta['partial_json']);
    else if (text !== '') this.#reader.readText(text);
    else this.#blocks.addToText(delta);
  }

  #stop(block: Block | undefined): void {
    if (block?.kind === 'text') this.#reader.endText();
    else if (block?.kind === 'other') this.#blocks.stop(block.index);
    else if (block !== undefined) this.#endCall(block, false);
    this.#forget(block);
  }

  #endCall({ fields, json, whole }: Extract<Block, { kind: 'call' }>, isCut: boolean): void {
    const { id, name } = fields;
    this.#fields = fields;
    this.#reader.readCall(
      { id: textOf(id), name: textOf(name), json: json === '' ? whole : json },
      isCut,
    );
    this.#fields = {};
  }

  #finish(body: JsonObject): void {
    // Some servers tell the usage once more.
    if (this.#hasFinish) {
      this.#send(body);
      return;
    }
    const delta = objectOf(body['delta']);
    const said = textOf(delta['stop_reason']);
    this.#hasFinish = true;
    this.#close(isCutBy(said));
    const reason = stopReasonFor(said, this.#reader.callCount > 0);
    const told = { stop_sequence: null, ...delta, stop_reason: reason };
    this.#send({ usage: NO_USAGE, ...body, delta: told });
  }

  #close(isCut: boolean): void {
    const open = new Set(this.#read.values());
    if (this.#latest !== undefined) open.add(this.#latest);
    for (const block of open) {
      if (block.kind === 'call' && this.#hasFinish) this.#endCall(block, isCut);
      else if (block.kind === 'other') this.#blocks.stop(block.index);
    }
    this.#read.clear();
    this.#latest = undefined;
    this.#reader.end(isCut);
    this.#blocks.end();
  }

  #blockOf(body: JsonObject): Block | undefined {
    const index = countOf(body['index']);
    return (index === undefined ? undefined : this.#read.get(index)) ?? this.#latest;
  }

  #forget(block: Block | undefined): void {
    for (const [index, each] of this.#read) if (each === block) this.#read.delete(index);
    if (this.#latest === block) this.#latest = undefined;
  }

  #tell(event: AnswerEvent): void {
    if (event.type === 'text') this.#blocks.text(event.text);
    else if (event.type === 'reasoning') this.#blocks.thinking(event.text);
    else this.#blocks.call(event.call, this.#fields);
  }

  /** The name is told even where the server forgot it: the SDK ignores events without. */
  #send(body: JsonObject): void {
    this.#out.push(wireEvent(body, textOf(body['type'])));
  }

  #takeOut(): readonly WireEvent[] {
    const out = this.#out;
    this.#out = [];
    return out;
  }
}

/** The SDK throws where a server does not count. */
const NO_USAGE: JsonObject = Object.freeze({ input_tokens: 0, output_tokens: 0 });
