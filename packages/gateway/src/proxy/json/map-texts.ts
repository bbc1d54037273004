import type { JsonObject, JsonValue } from '@holdfast/core';
import { isObject, textOf } from './json-fields.ts';

/** Under these a part of a result has text that a model reads. */
const TEXT_KEYS = ['text', 'stdout', 'stderr'] as const;

/** An object with other items in the list under a key; the same object where there is no list, or no item is another. */
export function mapListIn(
  object: JsonObject,
  key: string,
  map: (item: JsonObject) => JsonObject,
): JsonObject {
  const list = object[key];
  if (!Array.isArray(list)) return object;
  return withValue(
    object,
    key,
    mapList(list, (item) => (isObject(item) ? map(item) : item)),
  );
}

/**
 * An object with other texts in the content under a key; the same object where no text is another. `after` is the
 * text of the part after it: '' where there is none, and undefined where there are several.
 */
export function mapTextsIn(
  object: JsonObject,
  key: string,
  map: (text: string, after: string | undefined) => string,
): JsonObject {
  return withValue(object, key, mapTexts(object[key], map));
}

function mapTexts(
  content: JsonValue | undefined,
  map: (text: string, after: string | undefined) => string,
): JsonValue | undefined {
  if (typeof content === 'string') return map(content, '');
  if (!Array.isArray(content)) return content;
  const parts: readonly JsonValue[] = content;
  return mapList(parts, (part, at) => {
    const left = parts.length - at;
    const after = left === 1 ? '' : left === 2 ? textOfPart(parts.at(-1)) : undefined;
    if (typeof part === 'string') return map(part, after);
    return isObject(part) ? mapPart(part, (text) => map(text, after)) : part;
  });
}

function textOfPart(part: JsonValue | undefined): string {
  return textOf(isObject(part) ? part['text'] : part);
}

function mapList(
  list: readonly JsonValue[],
  map: (item: JsonValue, at: number) => JsonValue,
): readonly JsonValue[] {
  const mapped = list.map(map);
  return mapped.every((item, at) => item === list[at]) ? list : mapped;
}

function withValue(object: JsonObject, key: string, value: JsonValue | undefined): JsonObject {
  return value === undefined || value === object[key] ? object : { ...object, [key]: value };
}

function mapPart(part: JsonObject, map: (text: string) => string): JsonObject {
  let mapped = part;
  for (const key of TEXT_KEYS) {
    const text = part[key];
    if (typeof text === 'string') mapped = withValue(mapped, key, map(text));
  }
  // What was searched or fetched has its texts one step further in.
  const { content } = part;
  return Array.isArray(content) ? withValue(mapped, 'content', mapTexts(content, map)) : mapped;
}
