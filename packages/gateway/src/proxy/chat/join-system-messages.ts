import type { JsonObject, JsonValue } from '@holdfast/core';
import { isObject, listOf } from '../json/json-fields.ts';

/**
 * Makes one leading `system` message of all that there are, of `developer` messages too. Returns the same list
 * where there is nothing to do.
 */
export function joinSystemMessages(messages: readonly JsonValue[]): readonly JsonValue[] {
  const system = messages.filter(isSystem);
  const [first] = system;
  if (first === undefined) return messages;
  const isInPlace = system.length === 1 && messages[0] === first && first['role'] === 'system';
  if (isInPlace) return messages;
  const joined = { ...first, role: 'system', content: join(system) };
  return [joined, ...messages.filter((message) => !isSystem(message))];
}

function isSystem(message: JsonValue): message is JsonObject {
  return isObject(message) && (message['role'] === 'system' || message['role'] === 'developer');
}

/** One text where all are texts, else a list of all parts. */
function join(messages: readonly JsonObject[]): JsonValue {
  const parts = messages.flatMap(({ content }) =>
    typeof content === 'string' ? [{ type: 'text', text: content }] : listOf(content),
  );
  const texts = parts.map((part) => (isObject(part) ? part['text'] : undefined));
  if (!texts.every((text) => typeof text === 'string')) return parts;
  return texts.filter((text) => text !== '').join('\n\n');
}
