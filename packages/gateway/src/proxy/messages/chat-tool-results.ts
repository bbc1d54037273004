import type { JsonObject, JsonValue } from '@holdfast/core';
import { textOf } from '../chat/json-fields.ts';
import type { NormaliseRules } from '../normalise-rules.ts';
import { blocksOf } from './blocks-of.ts';
import { chatContent, textOfBlocks } from './chat-content.ts';

/** Tool results as messages, with the images that a `tool` message cannot have. */
export interface ChatToolResults {
  readonly messages: readonly JsonObject[];
  /** Blocks for the user message behind them. */
  readonly images: readonly JsonObject[];
}

/** The tool results of a turn, in their order. */
export function chatToolResults(
  results: readonly JsonObject[],
  rules: NormaliseRules,
  applied: Set<keyof NormaliseRules>,
): ChatToolResults {
  const images: JsonObject[] = [];
  const messages = results.map((result) => {
    const { tool_use_id: id, content, is_error: isError } = result;
    const blocks = blocksOf(content);
    if (Array.isArray(content)) applied.add('toolResultBlocks');
    const pictures = blocks.filter(({ type }) => type === 'image');
    if (rules.toolResultBlocks && pictures.length > 0)
      images.push(
        { type: 'text', text: `Images that the tool returned (${textOf(id)}):` },
        ...pictures,
      );
    const told = rules.toolResultBlocks ? resultText(blocks, pictures.length) : partsOf(content);
    return {
      role: 'tool',
      tool_call_id: textOf(id),
      content: isError === true ? marked(told) : told,
    };
  });
  return { messages, images };
}

function resultText(blocks: readonly JsonObject[], imageCount: number): string {
  const text = textOfBlocks(blocks);
  if (text !== '' || imageCount === 0) return text;
  return '(the image is in the next message)';
}

function partsOf(content: JsonValue | undefined): JsonValue {
  return typeof content === 'string' ? content : (chatContent(blocksOf(content)) ?? '');
}

/** A `tool` message cannot say that the tool failed but in its text. */
function marked(content: JsonValue): JsonValue {
  if (typeof content !== 'string') return content;
  return SAYS_SO.test(content) ? content : `Error: ${content}`;
}

const SAYS_SO = /^\s*(?:<tool_use_error>|error\b)/i;
