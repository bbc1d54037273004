import type { JsonObject, JsonValue } from '@holdfast/core';
import { textOf } from '../json/json-fields.ts';
import type { NormaliseRules } from '../normalise-rules.ts';
import { blocksOf } from './blocks-of.ts';
import { chatParts, textOfBlocks } from './chat-content.ts';

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
    let told: JsonValue;
    if (!Array.isArray(content)) told = textOf(content);
    else if (rules.toolResultBlocks) {
      applied.add('toolResultBlocks');
      const blocks = blocksOf(content);
      const pictures = blocks.filter(({ type }) => type === 'image');
      if (pictures.length > 0) images.push(caption(textOf(id)));
      for (const picture of pictures) images.push(picture);
      told = resultText(blocks, pictures.length > 0);
    } else told = chatParts(blocksOf(content));
    return {
      role: 'tool',
      tool_call_id: textOf(id),
      content: isError === true ? marked(told) : told,
    };
  });
  return { messages, images };
}

function caption(id: string): JsonObject {
  return { type: 'text', text: `What the tool returned as an image (${id}):` };
}

function resultText(blocks: readonly JsonObject[], hasImages: boolean): string {
  const text = textOfBlocks(blocks);
  return text === '' && hasImages ? '(the image is in the next message)' : text;
}

/** A `tool` message can say that the tool failed only in its text. */
function marked(content: JsonValue): JsonValue {
  if (Array.isArray(content)) {
    const parts: readonly JsonValue[] = content;
    return [{ type: 'text', text: 'Error:' }, ...parts];
  }
  const text = textOf(content);
  return SAYS_SO.test(text) ? text : `Error: ${text}`;
}

const SAYS_SO = /^\s*(?:<tool_use_error>|error\b)/i;
