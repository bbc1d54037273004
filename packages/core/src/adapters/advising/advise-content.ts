import { isJsonObject } from '../../parse/call-keys.ts';
import type { JsonValue } from '../../types.ts';
import { addAdvice } from './add-advice.ts';

/**
 * The content of a result with advice behind it: a longer text, or one part more, of the type that texts have
 * there. Undefined where it is neither a text nor parts, or has advice already.
 */
export function adviseContent(
  content: JsonValue | undefined,
  advice: string,
  type: 'text' | 'input_text',
): JsonValue | undefined {
  if (content === undefined || content === null) return advice;
  if (typeof content === 'string') return addAdvice(content, advice);
  if (!Array.isArray(content)) return undefined;
  const parts: readonly JsonValue[] = content;
  // What has no type is something else, such as what a shell printed.
  if (!parts.every((part) => isJsonObject(part) && typeof part['type'] === 'string'))
    return undefined;
  const last = parts.at(-1);
  const said = isJsonObject(last) && typeof last['text'] === 'string' ? last['text'] : '';
  return addAdvice(said, advice) === undefined ? undefined : [...parts, { type, text: advice }];
}
