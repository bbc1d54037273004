import type { AnswerEvent } from '../reading/answer-reader.ts';
import { makePart, textIn } from './ai-parts.ts';
import type { PartLike } from './ai-parts.ts';

/** A text of the provider's that is being read. */
interface Source {
  readonly id: string;
  readonly start: PartLike;
  end: PartLike | undefined;
  /** Whether a block has its id. */
  hasBlock: boolean;
  /** How many blocks beside that were made of it, and calls. */
  others: number;
}

interface OpenBlock {
  readonly type: 'text' | 'reasoning';
  readonly id: string;
}

/**
 * Makes blocks of what a text says. A block begins with the first character in it: where all of a text is a
 * call, there is no text. What stays as it came keeps its id.
 */
export class TextBlocks {
  readonly #emit: (part: PartLike) => void;
  #source: Source | undefined;
  #open: OpenBlock | undefined;
  /** The part whose text is being read, to be passed on itself where nothing changes. */
  #delta: PartLike | undefined;

  constructor(emit: (part: PartLike) => void) {
    this.#emit = emit;
  }

  /** Whether the text with that id is being read. */
  isIn(id: string): boolean {
    return this.#source?.id === id && this.#source.end === undefined;
  }

  open(start: PartLike): void {
    this.close();
    this.#source = { id: textIn(start, 'id'), start, end: undefined, hasBlock: false, others: 0 };
  }

  /** What is told while `read` runs comes from this part. */
  from(delta: PartLike, read: () => void): void {
    this.#delta = delta;
    read();
    this.#delta = undefined;
  }

  /** The provider ends its text. What was held back of it may still follow. */
  end(part: PartLike): void {
    if (this.#source !== undefined) this.#source.end = part;
  }

  /** Nothing more of a text that is over can follow. */
  settle(): void {
    if (this.#source?.end !== undefined) this.close();
  }

  tell(event: AnswerEvent): void {
    if (event.type === 'call') {
      const { id, name, json } = event.call;
      this.#endOpen();
      if (this.#source !== undefined) this.#source.others++;
      this.#emit(makePart('tool-input-start', { id, toolName: name }));
      this.#emit(makePart('tool-input-delta', { id, delta: json }));
      this.#emit(makePart('tool-input-end', { id }));
      this.#emit(makePart('tool-call', { toolCallId: id, toolName: name, input: json }));
      return;
    }
    const { type, text } = event;
    const { id } = this.#in(type);
    const delta = this.#delta;
    const isSame = delta !== undefined && textIn(delta, 'delta') === text;
    const canPass = isSame && type === 'text' && textIn(delta, 'id') === id;
    this.#emit(canPass ? delta : makePart(`${type}-delta`, { id, delta: text }));
  }

  /** Ends what is open. */
  close(): void {
    const source = this.#source;
    this.#endOpen();
    // A text without a character stays one.
    if (source?.end !== undefined && !source.hasBlock && source.others === 0) {
      this.#emit(source.start);
      this.#emit(source.end);
    }
    this.#source = undefined;
  }

  #in(type: OpenBlock['type']): OpenBlock {
    if (this.#open?.type === type) return this.#open;
    this.#endOpen();
    const source = this.#source;
    const isOwn = type === 'text' && source?.hasBlock === false;
    if (isOwn) source.hasBlock = true;
    this.#open = { type, id: isOwn ? source.id : this.#otherId(type) };
    this.#emit(isOwn ? source.start : makePart(`${type}-start`, { id: this.#open.id }));
    return this.#open;
  }

  /** An id of no other block: only the first text of a source has the provider's own. */
  #otherId(type: OpenBlock['type']): string {
    if (this.#source === undefined) return type;
    this.#source.others++;
    return `${this.#source.id}-${type}-${this.#source.others}`;
  }

  #endOpen(): void {
    const open = this.#open;
    if (open === undefined) return;
    this.#open = undefined;
    const end = open.id === this.#source?.id ? this.#source.end : undefined;
    this.#emit(end ?? makePart(`${open.type}-end`, { id: open.id }));
  }
}
