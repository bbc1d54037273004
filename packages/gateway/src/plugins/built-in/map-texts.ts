import type { JsonObject, JsonValue } from '@holdfast/core';
import { isObject } from '../../proxy/json/json-fields.ts';

/**
 * A result with its texts exchanged: a string, a list of them, an object with `text`, or what MCP returns, whose
 * data beside the texts stays. The same result where no text changed.
 */
export function mapTexts(result: JsonValue, change: (text: string) => string): JsonValue {
  if (typeof result === 'string') return change(result);
  if (Array.isArray(result)) return mapList(result as readonly JsonValue[], change);
  if (!isObject(result)) return result;
  const { content } = result;
  if (Array.isArray(content)) {
    const changed = mapList(content as readonly JsonValue[], change);
    return changed === content ? result : { ...result, content: changed };
  }
  return mapBlock(result, change);
}

function mapList(list: readonly JsonValue[], change: (text: string) => string): JsonValue {
  const changed = list.map((item) => {
    if (typeof item === 'string') return change(item);
    return isObject(item) ? mapBlock(item, change) : item;
  });
  return changed.every((item, index) => item === list[index]) ? list : changed;
}

/** A text, or a resource that is one. */
function mapBlock(block: JsonObject, change: (text: string) => string): JsonObject {
  const { text, resource } = block;
  if (typeof text === 'string') {
    const changed = change(text);
    return changed === text ? block : { ...block, text: changed };
  }
  if (!isObject(resource)) return block;
  const changed = mapBlock(resource, change);
  return changed === resource ? block : { ...block, resource: changed };
}
