import type { JsonObject, JsonValue } from '@holdfast/core';
import { isObject, listOf, textOf } from '../json/json-fields.ts';

/**
 * Makes all system and developer messages of a Responses request part of its `instructions`: servers put these
 * first, and many chat templates take no other system message. Returns the same body where there is nothing to do.
 */
export function joinInstructions(body: JsonObject): JsonObject {
  const items = listOf(body['input']);
  const told = items.filter(isText);
  const instructions = textOf(body['instructions']);
  const [first] = told;
  if (first === undefined) return body;
  const isInPlace =
    told.length === 1 && items[0] === first && instructions === '' && first['role'] === 'system';
  if (isInPlace) return body;
  const texts = [instructions, ...told.map((item) => textIn(item['content']) ?? '')];
  return {
    ...body,
    instructions: texts.filter((text) => text !== '').join('\n\n'),
    input: items.filter((item) => !isText(item)),
  };
}

/** One with an image in it stays where it is: instructions are text. */
function isText(item: JsonValue): item is JsonObject {
  if (!isObject(item)) return false;
  const { role, content } = item;
  return (role === 'system' || role === 'developer') && textIn(content) !== undefined;
}

function textIn(content: JsonValue | undefined): string | undefined {
  if (typeof content === 'string') return content;
  const texts = listOf(content).map((part) => (isObject(part) ? part['text'] : part));
  return texts.every((text) => typeof text === 'string') ? texts.join('\n\n') : undefined;
}
