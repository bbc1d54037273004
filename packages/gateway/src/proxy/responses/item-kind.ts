import type { JsonObject } from '@holdfast/core';

/** What an item of a response is to us. */
export type ItemKind = 'message' | 'reasoning' | 'call' | 'other';

/** Hosted tools' items, and those of the future, are `other`. */
export function itemKind({ type }: JsonObject): ItemKind {
  if (type === 'message' || type === 'reasoning') return type;
  return type === 'function_call' || type === 'custom_tool_call' ? 'call' : 'other';
}
