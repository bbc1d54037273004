import type { JsonValue } from '@holdfast/core';
import { isObject } from './json-fields.ts';

/**
 * A content with a text behind it: a longer text, or one part more, of the type that texts have there.
 * Undefined where the content is neither a text nor parts, so that nothing can be put behind it.
 */
export function addText(
  content: JsonValue | undefined,
  text: string,
  type: 'text' | 'input_text',
): JsonValue | undefined {
  if (content === undefined || content === null || content === '') return text;
  if (typeof content === 'string') return `${content}\n\n${text}`;
  if (!Array.isArray(content)) return undefined;
  const parts: readonly JsonValue[] = content;
  // What has no type is something else, such as what a shell printed.
  return parts.every(isPart) ? [...parts, { type, text }] : undefined;
}

function isPart(part: JsonValue): boolean {
  return typeof part === 'string' || (isObject(part) && typeof part['type'] === 'string');
}
