import type { JsonObject, JsonValue } from '@holdfast/core';
import { isObject, listOf, objectOf, textOf } from './json/json-fields.ts';
import { blocksOf } from './messages/blocks-of.ts';

/**
 * Estimates the input tokens of a request in any protocol, for `POST /v1/messages/count_tokens` and for upstreams
 * that report no usage. It knows no tokenizer: four bytes of UTF-8 are one token (four letters of English, a little more
 * than one character of Chinese), with a fixed cost for each message, tool and image. That is good enough for a client to
 * see when a conversation grows too long, usually within a quarter of the truth; it is no basis for a bill.
 */
export function countTokens(body: JsonObject): number {
  const { input, system, instructions } = body;
  const items = typeof input === 'string' ? [{ content: input }] : listOf(input);
  const messages = [...listOf(body['messages']), ...items].map(objectOf);
  const tools = [...listOf(body['tools']), ...listOf(body['functions'])].filter(isObject);
  let tokens = TOKENS_PER_REQUEST + tokensOfBlocks(system) + tokensOfBlocks(instructions);
  for (const message of messages) tokens += TOKENS_PER_MESSAGE + tokensOfMessage(message);
  for (const tool of tools) tokens += TOKENS_PER_TOOL + tokensOfTool(tool);
  return Math.ceil(tokens);
}

/** Of UTF-8. */
export const BYTES_PER_TOKEN = 4;
const TOKENS_PER_REQUEST = 3;
const TOKENS_PER_MESSAGE = 4;
const TOKENS_PER_TOOL = 12;
/** An image of about a megapixel, which clients shrink larger ones to. */
const TOKENS_PER_IMAGE = 1_500;
/** A page of a PDF costs about as much as an image; its bytes say nothing of its pages. */
const TOKENS_PER_DOCUMENT = 3_000;

/** A message, or an item of Responses: a call has fields of its own. */
function tokensOfMessage({ content, output, summary, ...fields }: JsonObject): number {
  const { tool_calls: calls, function_call: older, name, arguments: args, input } = fields;
  const call = [calls, older, args, input].filter(isGiven);
  const written = call.length === 0 ? '' : textOf(name) + call.map(jsonOf).join('');
  return [content, output, summary].reduce(
    (sum: number, blocks) => sum + tokensOfBlocks(blocks),
    tokensOfText(written),
  );
}

function isGiven(value: JsonValue | undefined): value is JsonValue {
  return value !== undefined && value !== null;
}

function jsonOf(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function tokensOfBlocks(content: JsonValue | undefined): number {
  return blocksOf(content).reduce((sum, block) => sum + tokensOfBlock(block), 0);
}

function tokensOfBlock(block: JsonObject): number {
  switch (block['type']) {
    case 'text':
    case 'input_text':
    case 'output_text':
    case 'summary_text':
    case 'reasoning_text':
      return tokensOfText(textOf(block['text']));
    case 'thinking':
      return tokensOfText(textOf(block['thinking']));
    case 'image':
    case 'image_url':
    case 'input_image':
      return TOKENS_PER_IMAGE;
    case 'file':
    case 'input_file':
      return TOKENS_PER_DOCUMENT;
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

function tokensOfTool(tool: JsonObject): number {
  const { function: called, tools } = tool;
  const {
    name,
    description,
    input_schema: schema,
    parameters = schema,
  } = isObject(called) ? called : tool;
  const written = textOf(name) + textOf(description) + JSON.stringify(parameters ?? {});
  // Of a namespace.
  const inner = listOf(tools).filter(isObject);
  return inner.reduce(
    (sum, each) => sum + TOKENS_PER_TOOL + tokensOfTool(each),
    tokensOfText(written),
  );
}

function tokensOfText(text: string): number {
  return Buffer.byteLength(text) / BYTES_PER_TOKEN;
}
