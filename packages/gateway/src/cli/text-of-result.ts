import type { JsonObject } from '@holdfast/core';
import { isObject, listOf, textOf } from '../proxy/json/json-fields.ts';
import { safeLine, safeText } from './safe-text.ts';

/** What a model would read of a tool's result, safe on a terminal; of what is no text, what it is. */
export function textOfResult({ content }: JsonObject): string {
  return listOf(content)
    .filter(isObject)
    .map(({ type, text, mimeType }) => {
      if (type === 'text') return `${safeText(textOf(text))}\n`;
      const what = [textOf(type), textOf(mimeType)].filter((word) => word !== '');
      return `[${safeLine(what.join(' '))}]\n`;
    })
    .join('');
}
