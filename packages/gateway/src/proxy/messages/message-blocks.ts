import type { JsonObject, JsonValue } from '@holdfast/core';
import { isObject } from '../json/json-fields.ts';
import type { TurnCall, TurnEvent } from '../turn/turn-event.ts';

/** What a message's content is told in. */
export type BlockEvent =
  | {
      readonly type: 'content_block_start';
      readonly index: number;
      readonly content_block: JsonObject;
    }
  | { readonly type: 'content_block_delta'; readonly index: number; readonly delta: JsonObject }
  | { readonly type: 'content_block_stop'; readonly index: number };

type BlockKind = 'text' | 'thinking' | 'other';

/**
 * Makes content blocks of a turn, with indexes from 0 and without gaps: SDKs lose what stands behind a gap.
 * A stream sends the events on, a whole answer puts them together, so both have the same content.
 */
export class MessageBlocks {
  readonly #emit: (event: BlockEvent) => void;
  #nextIndex = 0;
  #open: { readonly index: number; readonly kind: BlockKind } | undefined;
  /** The blocks of calls that are told while they are read, by the index of the call. */
  readonly #eager = new Map<number, { readonly index: number; isEmpty: boolean }>();
  #callCount = 0;

  constructor(emit: (event: BlockEvent) => void) {
    this.#emit = emit;
  }

  /** How many calls were told to their end. */
  get callCount(): number {
    return this.#callCount;
  }

  get isOpen(): boolean {
    return this.#open !== undefined || this.hasOpenCalls;
  }

  /** Whether a call was begun and not ended: it must not look finished. */
  get hasOpenCalls(): boolean {
    return this.#eager.size > 0;
  }

  /** Events that are no content are none of its business. */
  tell(event: TurnEvent): void {
    switch (event.type) {
      case 'text':
        this.#tellText(event.text);
        break;
      case 'reasoning':
        if (event.text !== '')
          this.#delta(this.#in('thinking'), { type: 'thinking_delta', thinking: event.text });
        break;
      case 'call':
        this.#tellCall(event.call);
        break;
      case 'call-start':
        // One that is open does not begin again: its first block would never end.
        if (this.#eager.has(event.index)) break;
        this.close();
        this.#eager.set(event.index, { index: this.#startCall(event), isEmpty: true });
        break;
      case 'call-delta':
        this.#tellPart(event.index, event.json);
        break;
      case 'call-end':
        this.#endCall(event.index);
        break;
      case 'opaque':
        this.#tellOpaque(event.content);
        break;
      default:
        break;
    }
  }

  /** Ends the block that is open, if it is no call. */
  close(): void {
    if (this.#open === undefined) return;
    this.#emit({ type: 'content_block_stop', index: this.#open.index });
    this.#open = undefined;
  }

  /** Takes over a block event that was sent on as it came. Returns false, and does nothing, if it does not fit. */
  follow(event: JsonObject): boolean {
    const { type, index, content_block: block } = event;
    if (type !== 'content_block_start') {
      if (this.#open === undefined || index !== this.#open.index) return false;
      if (type === 'content_block_stop') this.#open = undefined;
      return true;
    }
    if (this.isOpen || index !== this.#nextIndex || !isObject(block)) return false;
    this.#open = { index: this.#nextIndex++, kind: kindOf(block) };
    return true;
  }

  #tellText(text: string): void {
    if (text !== '') this.#delta(this.#in('text'), { type: 'text_delta', text });
  }

  #tellCall(call: TurnCall): void {
    this.close();
    const index = this.#startCall(call);
    // In one piece: all clients accept it, and no client can see half of it.
    this.#delta(index, { type: 'input_json_delta', partial_json: call.json });
    this.#emit({ type: 'content_block_stop', index });
    this.#callCount++;
  }

  #startCall({ id, name }: { readonly id: string; readonly name: string }): number {
    return this.#start({ type: 'tool_use', id, name, input: {} });
  }

  #tellPart(call: number, json: string): void {
    const block = this.#eager.get(call);
    if (block === undefined || json === '') return;
    block.isEmpty = false;
    this.#delta(block.index, { type: 'input_json_delta', partial_json: json });
  }

  #endCall(call: number): void {
    const block = this.#eager.get(call);
    if (block === undefined) return;
    if (block.isEmpty) this.#tellPart(call, '{}');
    this.#eager.delete(call);
    this.#emit({ type: 'content_block_stop', index: block.index });
    this.#callCount++;
  }

  /** Content of the Messages protocol that we do not look into, or a refusal of a Chat upstream, which is text. */
  #tellOpaque({ type, content_block: block, delta, refusal }: JsonObject): void {
    if (type === 'content_block_start' && isObject(block)) {
      this.close();
      this.#open = { index: this.#start(block), kind: kindOf(block) };
    } else if (type === 'content_block_delta' && isObject(delta)) {
      const kind = PLACES.get(delta['type']);
      const index = kind === undefined ? this.#open?.index : this.#in(kind);
      if (index === undefined) return;
      this.#delta(index, delta);
      // What was signed is over.
      if (kind === 'thinking') this.#open = { index, kind: 'other' };
    } else if (typeof refusal === 'string') this.#tellText(refusal);
  }

  /** The index of an open block of that kind, which is begun if there is none. */
  #in(kind: 'text' | 'thinking'): number {
    if (this.#open?.kind === kind) return this.#open.index;
    this.close();
    const index = this.#start(
      // Clients expect the field of a signature; other vendors' reasoning has none.
      kind === 'text'
        ? { type: 'text', text: '' }
        : { type: 'thinking', thinking: '', signature: '' },
    );
    this.#open = { index, kind };
    return index;
  }

  #start(block: JsonObject): number {
    const index = this.#nextIndex++;
    this.#emit({ type: 'content_block_start', index, content_block: block });
    return index;
  }

  #delta(index: number, delta: JsonObject): void {
    this.#emit({ type: 'content_block_delta', index, delta });
  }
}

/** Deltas that belong in blocks of one kind; others belong in the block that is open. */
const PLACES: ReadonlyMap<JsonValue | undefined, 'text' | 'thinking'> = new Map([
  ['signature_delta', 'thinking'],
  ['citations_delta', 'text'],
]);

function kindOf({ type }: JsonObject): BlockKind {
  return type === 'text' || type === 'thinking' ? type : 'other';
}
