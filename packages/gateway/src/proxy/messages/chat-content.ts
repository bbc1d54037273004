import type { JsonObject, JsonValue } from '@holdfast/core';
import { listOf, objectOf, textOf } from '../json/json-fields.ts';
import { blocksOf } from './blocks-of.ts';

/**
 * What a person said, as the content of a Chat message: one text where there are only texts, as many servers
 * take nothing else, a list of parts where there are images. Undefined where nothing is left.
 */
export function chatContent(blocks: readonly JsonObject[]): JsonValue | undefined {
  const parts = chatParts(blocks);
  if (parts.length === 0) return undefined;
  if (parts.some(({ type }) => type !== 'text')) return parts;
  return parts.map(({ text }) => textOf(text)).join(BETWEEN);
}

/** Blocks as the parts of a Chat message. */
export function chatParts(blocks: readonly JsonObject[]): readonly JsonObject[] {
  return blocks.map(chatPart).filter((part) => part !== undefined);
}

/** Two contents as one. */
export function joinContent(one: JsonValue | undefined, other: JsonValue): JsonValue {
  if (typeof one === 'string' && typeof other === 'string') return one + BETWEEN + other;
  return [...partsOf(one), ...partsOf(other)];
}

/** All that can be said in words of some blocks. */
export function textOfBlocks(blocks: readonly JsonObject[]): string {
  return blocks
    .map(textOfBlock)
    .filter((text) => text !== '')
    .join(BETWEEN);
}

/** A block as text; '' for what has none. */
function textOfBlock(block: JsonObject): string {
  switch (block['type']) {
    case 'text':
      return textOf(block['text']);
    case 'document':
      return documentText(block);
    case 'search_result': {
      const head = [textOf(block['title']), textOf(block['source'])].filter((line) => line !== '');
      return [head.join('\n'), textOfBlocks(blocksOf(block['content']))].join('\n\n').trim();
    }
    case 'tool_reference':
      return `The tool ${textOf(block['tool_name'])} can be called now.`;
    default:
      return '';
  }
}

/** An image as Chat Completions has it; undefined for one that only Anthropic's servers hold. */
function chatImage({ source }: JsonObject): JsonObject | undefined {
  const { type, media_type: mediaType, data, url } = objectOf(source);
  const address =
    type === 'base64' ? `data:${textOf(mediaType)};base64,${textOf(data)}` : textOf(url);
  return address === '' ? undefined : { type: 'image_url', image_url: { url: address } };
}

const BETWEEN = '\n\n';

function chatPart(block: JsonObject): JsonObject | undefined {
  if (block['type'] === 'image')
    return chatImage(block) ?? { type: 'text', text: '(an image that this server cannot load)' };
  const text = textOfBlock(block);
  return text === '' ? undefined : { type: 'text', text };
}

function partsOf(content: JsonValue | undefined): readonly JsonValue[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : listOf(content);
}

/** Only text can be passed on; the model is told of what cannot, so that it can say so. */
function documentText({ source, title, context }: JsonObject): string {
  const { type, data, content, media_type: mediaType } = objectOf(source);
  const name = textOf(title);
  const text = type === 'text' ? textOf(data) : textOfBlocks(blocksOf(content));
  const kind = textOf(mediaType) === '' ? '' : ` of type ${textOf(mediaType)}`;
  const shown = text === '' ? `(a document${kind} that this server cannot read)` : text;
  return [name, textOf(context), shown].filter((part) => part !== '').join('\n');
}
