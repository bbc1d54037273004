import type { JsonObject, JsonValue } from '@holdfast/core';
import { isObject, listOf } from '../json/json-fields.ts';

/** Content as a list of blocks, be it a text, a list, or nothing. */
export function blocksOf(content: JsonValue | undefined): readonly JsonObject[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }];
  const list = listOf(content);
  if (list.every(isObject)) return list;
  return list.flatMap((block) => {
    if (isObject(block)) return [block];
    return typeof block === 'string' ? [{ type: 'text', text: block }] : [];
  });
}
