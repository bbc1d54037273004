import type { JsonObject, JsonValue } from '@holdfast/core';
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

  add(event: BlockEvent): void {
    if (event.type === 'content_block_start') {
      this.#blocks[event.index] = { fields: { ...event.content_block }, json: '', isEnded: false };
      return;
    }
    const block = this.#blocks[event.index];
    if (block === undefined) return;
    if (event.type === 'content_block_delta') addDelta(block, event.delta);
    else endBlock(block);
  }

  /** All blocks that were ended. */
  blocks(): JsonObject[] {
    return this.#blocks.filter(({ isEnded }) => isEnded).map(({ fields }) => fields);
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

function endBlock(block: Block): void {
  block.isEnded = true;
  if (block.json !== '') block.fields['input'] = readJsonObject(block.json) ?? {};
}
