import type { JsonObject, JsonValue } from '@holdfast/core';
import { locateInJson } from '@holdfast/core/parse';
import { listOf, textOf } from '../json/json-fields.ts';
import { readJsonObject } from '../json/read-json-object.ts';
import type { BlockEvent } from './message-blocks.ts';

interface Block {
  readonly fields: Record<string, JsonValue>;
  json: string;
  isEnded: boolean;
}

/** Puts content blocks together from the events of a stream, as clients do. */
export class MessageContent {
  readonly #blocks: Block[] = [];
  /** The arguments of calls, with their text: an object does not hold every digit. */
  readonly #inputs = new Map<JsonObject, string>();

  add(event: BlockEvent): void {
    if (event.type === 'content_block_start') {
      this.#blocks[event.index] = { fields: { ...event.content_block }, json: '', isEnded: false };
      return;
    }
    const block = this.#blocks[event.index];
    if (block === undefined) return;
    if (event.type === 'content_block_delta') addDelta(block, event.delta);
    else this.#end(block);
  }

  /** All blocks that were ended. */
  blocks(): JsonObject[] {
    return this.#blocks.filter(({ isEnded }) => isEnded).map(({ fields }) => fields);
  }

  /** The JSON of a message that has these blocks, with the arguments of its calls as they were written. */
  write(message: JsonObject): string {
    const json = JSON.stringify(message);
    const inputs = [...this.#inputs.keys()];
    const places = [...locateInJson(json, message, inputs)].flatMap(([input, place]) =>
      place === undefined ? [] : [{ ...place, text: this.#inputs.get(input) ?? '{}' }],
    );
    let written = '';
    let from = 0;
    for (const { start, end, text } of places.sort((one, other) => one.start - other.start)) {
      written += json.slice(from, start) + text;
      from = end;
    }
    return written + json.slice(from);
  }

  #end(block: Block): void {
    block.isEnded = true;
    if (block.json === '') return;
    const input = readJsonObject(block.json);
    block.fields['input'] = input ?? {};
    if (input !== undefined) this.#inputs.set(input, block.json);
  }
}

function addDelta(block: Block, delta: JsonObject): void {
  const { fields } = block;
  switch (delta['type']) {
    case 'text_delta':
      fields['text'] = textOf(fields['text']) + textOf(delta['text']);
      break;
    case 'thinking_delta':
      fields['thinking'] = textOf(fields['thinking']) + textOf(delta['thinking']);
      break;
    case 'signature_delta':
      fields['signature'] = textOf(delta['signature']);
      break;
    case 'citations_delta':
      fields['citations'] = [...listOf(fields['citations']), delta['citation'] ?? null];
      break;
    case 'input_json_delta':
      block.json += textOf(delta['partial_json']);
      break;
    default:
      break;
  }
}
