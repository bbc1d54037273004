import type { JsonObject } from '@holdfast/core';
import { isObject } from './json/json-fields.ts';

/** Whether a request, in any of the protocols, allows no answer without a call. */
export function requiresCall({ tool_choice: choice }: JsonObject): boolean {
  if (!isObject(choice)) return choice === 'required';
  const { type, mode } = choice;
  if (type === 'allowed_tools') return mode === 'required';
  return type === 'any' || type === 'tool' || type === 'function' || type === 'custom';
}
