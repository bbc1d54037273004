import type { JsonObject, JsonValue } from '@holdfast/core';
import { isObject, listOf } from '../json/json-fields.ts';
import { writtenJson } from '../json/written-json.ts';
import type { UpstreamEvent } from '../turn/upstream-event.ts';

interface Block {
  readonly kind: 'content' | 'call' | 'other';
  /** Of a call. */
  readonly slot: number;
  /** The arguments of a call that were there from its start; used if no pieces follow. */
  whole?: string;
}

/**
 * Reads the content blocks of a message, streamed or whole. Servers forget indexes, starts and stops, so a
 * block also ends where the next begins, and a delta without a block says itself what it is.
 */
export class MessagesBlockReader {
  readonly #blocks = new Map<number, Block>();
  #current: Block | undefined;
  #nextSlot = 0;

  start(index: JsonValue | undefined, block: JsonObject): UpstreamEvent[] {
    const out = this.flush();
    const kind = kindOf(block);
    this.#current = { kind, slot: kind === 'call' ? this.#nextSlot++ : -1 };
    if (typeof index === 'number') this.#blocks.set(index, this.#current);
    if (kind === 'call') out.push(startOfCall(this.#current, block));
    else if (kind === 'content') out.push(...readContent(block));
    else out.push(opaque({ type: 'content_block_start', content_block: block }));
    return out;
  }

  delta(index: JsonValue | undefined, delta: JsonObject): UpstreamEvent[] {
    const { type, text, thinking, partial_json: json } = delta;
    if (typeof text === 'string' && (type === 'text_delta' || type === undefined))
      return [{ type: 'text', choice: 0, text }];
    if (typeof thinking === 'string' && (type === 'thinking_delta' || type === undefined))
      return [{ type: 'reasoning', choice: 0, text: thinking }];
    if (json !== undefined && (type === 'input_json_delta' || type === undefined)) {
      const block = this.#blockOf(index);
      if (block?.kind !== 'other') return this.#readArguments(block, json);
    }
    return [opaqueDelta(delta)];
  }

  stop(index: JsonValue | undefined): UpstreamEvent[] {
    return flushBlock(this.#blockOf(index));
  }

  /** Tells what a block that nobody ended still holds. */
  flush(): UpstreamEvent[] {
    return flushBlock(this.#current);
  }

  #blockOf(index: JsonValue | undefined): Block | undefined {
    return (typeof index === 'number' ? this.#blocks.get(index) : undefined) ?? this.#current;
  }

  #readArguments(block: Block | undefined, json: JsonValue): UpstreamEvent[] {
    let call = block;
    if (call?.kind !== 'call') {
      call = { kind: 'call', slot: this.#nextSlot++ };
      this.#current = call;
    }
    const text = typeof json === 'string' ? json : writtenJson(json);
    if (text === '') return [];
    delete call.whole;
    return [{ type: 'call-fragment', choice: 0, slot: call.slot, json: text }];
  }
}

function kindOf({ type }: JsonObject): Block['kind'] {
  if (type === 'tool_use') return 'call';
  return type === 'text' || type === 'thinking' ? 'content' : 'other';
}

function startOfCall(call: Block, { id, name, input }: JsonObject): UpstreamEvent {
  if (isObject(input) && Object.keys(input).length > 0) call.whole = writtenJson(input);
  else if (typeof input === 'string' && input !== '') call.whole = input;
  return {
    type: 'call-fragment',
    choice: 0,
    slot: call.slot,
    ...(typeof id === 'string' && { id }),
    ...(typeof name === 'string' && { name }),
  };
}

function flushBlock(block: Block | undefined): UpstreamEvent[] {
  if (block?.whole === undefined) return [];
  const json = block.whole;
  delete block.whole;
  return [{ type: 'call-fragment', choice: 0, slot: block.slot, json }];
}

/** A block of a stream starts empty; one of a whole answer has all of it. */
function readContent(block: JsonObject): UpstreamEvent[] {
  const { text, thinking, signature, citations } = block;
  const out: UpstreamEvent[] = [];
  // Citations belong to the text of their own block, which therefore must not run into another.
  if (Array.isArray(citations)) {
    const start = { ...block, text: '', citations: [] };
    out.push(opaque({ type: 'content_block_start', content_block: start }));
  }
  if (typeof text === 'string' && text !== '') out.push({ type: 'text', choice: 0, text });
  if (typeof thinking === 'string' && thinking !== '')
    out.push({ type: 'reasoning', choice: 0, text: thinking });
  if (typeof signature === 'string' && signature !== '')
    out.push(opaqueDelta({ type: 'signature_delta', signature }));
  for (const citation of listOf(citations))
    out.push(opaqueDelta({ type: 'citations_delta', citation }));
  return out;
}

function opaqueDelta(delta: JsonObject): UpstreamEvent {
  return opaque({ type: 'content_block_delta', delta });
}

function opaque(content: JsonObject): UpstreamEvent {
  return { type: 'opaque', choice: 0, content };
}
