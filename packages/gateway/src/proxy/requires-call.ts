import type { JsonObject } from '@holdfast/core';
import { isObject, objectOf } from './json/json-fields.ts';

/** Whether a request, in any of the protocols, allows no answer without a call. */
export function requiresCall({ tool_choice: choice, function_call: older }: JsonObject): boolean {
  if (isObject(older)) return true;
  if (!isObject(choice)) return choice === 'required';
  const { type, mode, allowed_tools: allowed } = choice;
  if (type === 'allowed_tools') return (mode ?? objectOf(allowed)['mode']) === 'required';
  return type === 'any' || type === 'tool' || type === 'function' || type === 'custom';
}
