import type { JsonObject, JsonValue } from '@holdfast/core';
import { isObject } from '../proxy/json/json-fields.ts';
import { maskValuesOf } from './mask-words.ts';

/** Messages and items that hold what a tool returned, and where in them it stands. */
const RESULTS: ReadonlySet<string> = new Set([
  'tool',
  'function',
  'tool_result',
  'function_call_output',
  'custom_tool_call_output',
  'mcp_tool_result',
]);
/** What a tool was called with, in whichever protocol. */
const ARGUMENTS: ReadonlySet<string> = new Set(['arguments', 'input']);
const DEEPEST = 64;

/** The body of a request without what tools were called with and what they returned. What people wrote stays. */
export function maskConversation(value: JsonValue, depth = 0): JsonValue {
  if (depth > DEEPEST) return null;
  if (Array.isArray(value))
    return (value as JsonValue[]).map((item) => maskConversation(item, depth + 1));
  if (!isObject(value)) return value;
  const { role, type } = value;
  const isResult = [role, type].some((kind) => typeof kind === 'string' && RESULTS.has(kind));
  const isCall = typeof value['name'] === 'string';
  const mask = (key: string, inner: JsonValue): JsonValue => {
    const isHidden = isResult && (key === 'content' || key === 'output');
    return isHidden || (isCall && ARGUMENTS.has(key))
      ? maskValuesOf(inner)
      : maskConversation(inner, depth + 1);
  };
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, mask(key, inner)]),
  ) satisfies JsonObject;
}
