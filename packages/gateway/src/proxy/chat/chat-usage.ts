import type { JsonObject, JsonValue } from '@holdfast/core';
import type { Usage } from '../turn/usage.ts';
import { countOf, isObject, objectOf } from '../json/json-fields.ts';

/** What a turn cost, in the words of Chat Completions; undefined where nothing is said. */
export function readChatUsage(value: JsonValue | undefined): Usage | undefined {
  if (!isObject(value)) return undefined;
  const cachedTokens = countOf(objectOf(value['prompt_tokens_details'])['cached_tokens']);
  const reasoningTokens = countOf(objectOf(value['completion_tokens_details'])['reasoning_tokens']);
  return {
    inputTokens: countOf(value['prompt_tokens']) ?? 0,
    outputTokens: countOf(value['completion_tokens']) ?? 0,
    ...(cachedTokens !== undefined && { cachedTokens }),
    ...(reasoningTokens !== undefined && { reasoningTokens }),
  };
}

/** What a turn cost, as Chat Completions tells it. */
export function chatUsage(usage: Usage): JsonObject {
  const { inputTokens, outputTokens, cachedTokens, reasoningTokens } = usage;
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
    ...(cachedTokens !== undefined && { prompt_tokens_details: { cached_tokens: cachedTokens } }),
    ...(reasoningTokens !== undefined && {
      completion_tokens_details: { reasoning_tokens: reasoningTokens },
    }),
    ...(usage.estimated && { estimated: true }),
  };
}
