import type { JsonObject, JsonValue } from '@holdfast/core';
import { isObject } from '../json/json-fields.ts';
import type { Usage } from '../turn/usage.ts';

/**
 * Reads the `usage` of a message. Anthropic counts cached input beside `input_tokens`, we count it within.
 * What is not told stays as it was `before`: the end of a stream says little more than the output.
 */
export function readMessagesUsage(value: JsonValue | undefined, before?: Usage): Usage | undefined {
  if (!isObject(value)) return undefined;
  const input = count(value['input_tokens']);
  const output = count(value['output_tokens']);
  if (input === undefined && output === undefined) return undefined;
  const read = count(value['cache_read_input_tokens']);
  const written = count(value['cache_creation_input_tokens']) ?? 0;
  const cached = read ?? before?.cachedTokens;
  return {
    inputTokens: input === undefined ? (before?.inputTokens ?? 0) : input + (read ?? 0) + written,
    outputTokens: output ?? before?.outputTokens ?? 0,
    ...(cached !== undefined && { cachedTokens: cached }),
  };
}

/** A `usage` as Anthropic's clients expect it. */
export function writeMessagesUsage(usage: Usage): JsonObject {
  const { inputTokens, outputTokens, cachedTokens } = usage;
  return {
    input_tokens: Math.max(0, inputTokens - (cachedTokens ?? 0)),
    ...(cachedTokens !== undefined && { cache_read_input_tokens: cachedTokens }),
    output_tokens: outputTokens,
    ...(usage.estimated && { estimated: true }),
  };
}

function count(value: JsonValue | undefined): number | undefined {
  return typeof value === 'number' && value >= 0 ? value : undefined;
}
