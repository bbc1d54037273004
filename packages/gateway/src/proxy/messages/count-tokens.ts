import type { JsonObject, JsonValue } from '@holdfast/core';
import { isObject, listOf, objectOf, textOf } from '../json/json-fields.ts';
import { blocksOf } from './blocks-of.ts';

/**
 * Estimates the input tokens of a Messages request, for `POST /v1/messages/count_tokens` and for upstreams that
 * do not tell. It knows no tokenizer: four bytes of UTF-8 are one token (four letters of English, a little more
 * than one character of Chinese), with a fixed cost for each message, tool and image. That is good enough for a client to
 * see when a conversation grows too long, usually within a quarter of the truth; it is no basis for a bill.
 */
export function countTokens(body: JsonObject): number {
  const messages = listOf(body['messages']).map(objectOf);
  const tools = listOf(body['tools']).filter(isObject);
  let tokens = TOKENS_PER_REQUEST + tokensOfBlocks(body['system']);
  for (const { content } of messages) tokens += TOKENS_PER_MESSAGE + tokensOfBlocks(content);
  for (const tool of tools) tokens += TOKENS_PER_TOOL + tokensOfTool(tool);
  return Math.ceil(tokens);
}

const BYTES_PER_TOKEN = 4;
const TOKENS_PER_REQUEST = 3;
const TOKENS_PER_MESSAGE = 4;
const TOKENS_PER_TOOL = 12;
/** An image of about a megapixel, which clients shrink larger ones to. */
const TOKENS_PER_IMAGE = 1_500;
/** A page of a PDF costs about as much as an image; its bytes say nothing of its pages. */
const TOKENS_PER_DOCUMENT = 3_000;

function tokensOfBlocks(content: JsonValue | undefined): number {
  return blocksOf(content).reduce((sum, block) => sum + tokensOfBlock(block), 0);
}

function tokensOfBlock(block: JsonObject): number {
  switch (block['type']) {
    case 'text':
      return tokensOfText(textOf(block['text']));
    case 'thinking':
      return tokensOfText(textOf(block['thinking']));
    case 'image':
      return TOKENS_PER_IMAGE;
    case 'document':
      return tokensOfDocument(objectOf(block['source']));
    case 'tool_use':
      return tokensOfText(textOf(block['name']) + JSON.stringify(block['input'] ?? {}));
    case 'tool_result':
      return TOKENS_PER_MESSAGE + tokensOfBlocks(block['content']);
    default:
      return tokensOfText(JSON.stringify(block));
  }
}

function tokensOfDocument({ type, data, content }: JsonObject): number {
  if (type === 'text') return tokensOfText(textOf(data));
  return type === 'content' ? tokensOfBlocks(content) : TOKENS_PER_DOCUMENT;
}

function tokensOfTool({ name, description, input_schema: schema }: JsonObject): number {
  return tokensOfText(textOf(name) + textOf(description) + JSON.stringify(schema ?? {}));
}

function tokensOfText(text: string): number {
  return Buffer.byteLength(text) / BYTES_PER_TOKEN;
}
