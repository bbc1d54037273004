import type { JsonObject, JsonValue } from '@holdfast/core';
import { isObject, listOf, objectOf } from '../json/json-fields.ts';

/**
 * Whether the choices of a chunk are as every client takes them. `words` are the reasons that their finished
 * choices have to say. A chunk with calls never is: those are told anew.
 */
export function isRightChunk(body: JsonObject, words: ReadonlyMap<number, string>): boolean {
  const choices = listOf(body['choices']);
  return choices.every((choice, at) => {
    if (!isObject(choice)) return false;
    const { index, delta, finish_reason: word } = choice;
    if (typeof index !== 'number' || !isObject(delta)) return false;
    // Told twice, the second may go on behind the end of the first.
    if (choices.some((other, place) => place < at && objectOf(other)['index'] === index))
      return false;
    if (!isNone(word) && word !== words.get(index)) return false;
    return (
      TEXTS.every((field) => isNone(delta[field]) || typeof delta[field] === 'string') &&
      CALLS.every((field) => isNone(delta[field]))
    );
  });
}

const TEXTS = ['content', 'reasoning', 'reasoning_content'] as const;
const CALLS = ['tool_calls', 'function_call'] as const;

function isNone(value: JsonValue | undefined): boolean {
  return value === undefined || value === null;
}
