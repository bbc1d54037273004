import type { JsonObject } from '../../types.ts';
import type { AnswerCall } from '../reading/answer-call.ts';

interface OpenBlock {
  readonly kind: 'text' | 'thinking';
  readonly index: number;
}

/**
 * Makes content blocks, with indexes from 0 and without gaps: the SDK loses what stands behind a gap. A block
 * begins with the first character in it: where all of a text is a call, there is no text.
 */
export class MessageBlocks {
  readonly #emit: (event: JsonObject) => void;
  #nextIndex = 0;
  #open: OpenBlock | undefined;
  /** The server's own block that is being read; undefined once a text was made of it. */
  #source: JsonObject | undefined;
  /** Whether nothing was told of it. */
  #isUnsaid = false;

  constructor(emit: (event: JsonObject) => void) {
    this.#emit = emit;
  }

  /** Begins to read a text of the server's. */
  read(source: JsonObject): void {
    this.end();
    this.#source = source;
    this.#isUnsaid = true;
  }

  text(text: string): void {
    this.#delta(this.#in('text'), { type: 'text_delta', text });
  }

  thinking(thinking: string): void {
    this.#delta(this.#in('thinking'), { type: 'thinking_delta', thinking });
  }

  /** A delta that belongs to the text that is open, such as a citation; without any it is left out. */
  addToText(delta: JsonObject): void {
    if (this.#open?.kind === 'text') this.#delta(this.#open.index, delta);
  }

  /** In one piece: all clients accept it, and no client can see half of it. */
  call({ id, name, json }: AnswerCall, fields: JsonObject = {}): void {
    this.#isUnsaid = false;
    this.end();
    const index = this.start({ ...fields, type: 'tool_use', id, name, input: {} });
    this.#delta(index, { type: 'input_json_delta', partial_json: json });
    this.stop(index);
  }

  /** Begins a block that is passed on as it comes. Returns its index. */
  start(block: JsonObject): number {
    const index = this.#nextIndex++;
    this.#emit({ type: 'content_block_start', index, content_block: block });
    return index;
  }

  stop(index: number): void {
    this.#emit({ type: 'content_block_stop', index });
  }

  /** Ends the block that is open. A text of the server's without a character stays one. */
  end(): void {
    if (this.#isUnsaid) this.#in('text');
    if (this.#open !== undefined) this.stop(this.#open.index);
    this.#open = undefined;
  }

  #in(kind: OpenBlock['kind']): number {
    if (this.#open?.kind === kind) return this.#open.index;
    if (this.#open !== undefined) this.stop(this.#open.index);
    this.#isUnsaid = false;
    // Clients expect the field of a signature; other vendors' reasoning has none.
    const empty =
      kind === 'text'
        ? { ...this.#source, type: 'text', text: '' }
        : { type: 'thinking', thinking: '', signature: '' };
    // Reasoning may come before the text that it was written in.
    if (kind === 'text') this.#source = undefined;
    this.#open = { kind, index: this.start(empty) };
    return this.#open.index;
  }

  #delta(index: number, delta: JsonObject): void {
    this.#emit({ type: 'content_block_delta', index, delta });
  }
}
