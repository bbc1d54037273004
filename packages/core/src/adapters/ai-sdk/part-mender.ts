import type { AnswerEvent, AnswerReader } from '../reading/answer-reader.ts';
import type { PieceMender } from '../reading/mend-stream.ts';
import { fieldsOf, isClientCall, textIn, withFields } from './ai-parts.ts';
import type { PartLike } from './ai-parts.ts';
import { isCutBy, reasonFor } from './finish-reason.ts';
import { mayBeCut, mendCallPart } from './mend-call-part.ts';
import { TextBlocks } from './text-blocks.ts';

/** Parts that say nothing of the answer itself: what was held back need not be told before them. */
const ASIDE: ReadonlySet<string> = new Set([
  'stream-start',
  'response-metadata',
  'raw',
  'ping',
  'error',
]);

/** Mends the parts of a streamed answer. */
export class PartMender implements PieceMender<PartLike> {
  readonly #reader: AnswerReader;
  readonly #blocks: TextBlocks;
  #out: PartLike[] = [];
  #call: PartLike | undefined;

  constructor(openReader: (emit: (event: AnswerEvent) => void) => AnswerReader) {
    this.#blocks = new TextBlocks((part) => this.#out.push(part));
    this.#reader = openReader((event) => this.#blocks.tell(event));
  }

  read(part: PartLike): readonly PartLike[] {
    if (!ASIDE.has(part.type)) this.#tellCall();
    switch (part.type) {
      case 'text-start':
        this.#settle();
        this.#blocks.open(part);
        break;
      case 'text-delta':
        this.#readText(part);
        break;
      case 'text-end':
        this.#blocks.end(part);
        this.#reader.endText();
        break;
      case 'tool-call':
        this.#settle();
        this.#readCall(part);
        break;
      case 'tool-input-start':
        this.#settle();
        this.#out.push(isClientCall(part) ? this.#withKnownName(part) : part);
        break;
      case 'finish':
        this.#finish(part);
        break;
      default:
        if (part.type === 'reasoning-delta') this.#reader.noteReasoning(textIn(part, 'delta'));
        if (!ASIDE.has(part.type)) this.#settle();
        this.#out.push(part);
    }
    return this.#takeOut();
  }

  end(): readonly PartLike[] {
    this.#close(true);
    return this.#takeOut();
  }

  #readText(part: PartLike): void {
    if (!this.#blocks.isIn(textIn(part, 'id'))) {
      this.#reader.endText();
      this.#settle();
      this.#blocks.open({ ...part, type: 'text-start' });
    }
    this.#blocks.from(part, () => this.#reader.readText(textIn(part, 'delta')));
  }

  #readCall(part: PartLike): void {
    if (!isClientCall(part)) this.#out.push(part);
    else if (mayBeCut(part)) this.#call = part;
    else this.#out.push(mendCallPart(part, this.#reader));
  }

  #withKnownName(part: PartLike): PartLike {
    const name = textIn(part, 'toolName');
    const known = this.#reader.nameOf(name);
    return known === name ? part : withFields(part, { toolName: known });
  }

  #finish(part: PartLike): void {
    const reason = fieldsOf(part)['finishReason'];
    this.#close(isCutBy(reason));
    const right = reasonFor(reason, this.#reader.callCount);
    this.#out.push(right === reason ? part : withFields(part, { finishReason: right }));
  }

  #close(isCut: boolean): void {
    if (isCut) this.#call = undefined;
    this.#tellCall();
    this.#reader.end(isCut);
    this.#blocks.close();
  }

  /** The answer goes on: what was held back of a text that is over belongs before it. */
  #settle(): void {
    this.#reader.settle();
    this.#blocks.settle();
  }

  #tellCall(): void {
    if (this.#call === undefined) return;
    this.#out.push(mendCallPart(this.#call, this.#reader));
    this.#call = undefined;
  }

  #takeOut(): readonly PartLike[] {
    const out = this.#out;
    this.#out = [];
    return out;
  }
}
