import type { JsonObject, JsonValue } from '@holdfast/core';
import { countOf, isObject, objectOf } from '../json/json-fields.ts';
import type { Usage } from '../turn/usage.ts';

/** What a turn cost, in the words of Responses; undefined where nothing is said. */
export function readResponsesUsage(value: JsonValue | undefined): Usage | undefined {
  if (!isObject(value)) return undefined;
  const cachedTokens = countOf(objectOf(value['input_tokens_details'])['cached_tokens']);
  const reasoningTokens = countOf(objectOf(value['output_tokens_details'])['reasoning_tokens']);
  return {
    inputTokens: countOf(value['input_tokens']) ?? 0,
    outputTokens: countOf(value['output_tokens']) ?? 0,
    ...(cachedTokens !== undefined && { cachedTokens }),
    ...(reasoningTokens !== undefined && { reasoningTokens }),
  };
}

/** What a turn cost, as Responses tells it. */
export function responsesUsage(usage: Usage): JsonObject {
  const { inputTokens, outputTokens, cachedTokens = 0, reasoningTokens = 0 } = usage;
  return {
    input_tokens: inputTokens,
    input_tokens_details: { cached_tokens: cachedTokens },
    output_tokens: outputTokens,
    output_tokens_details: { reasoning_tokens: reasoningTokens },
    total_tokens: inputTokens + outputTokens,
    ...(usage.estimated && { estimated: true }),
  };
}

/** Whether clients can read it. Codex takes a response for failed whose usage lacks a number. */
export function isSoundUsage(value: JsonValue | undefined): boolean {
  if (value === undefined || value === null) return true;
  const { input_tokens_details: input, output_tokens_details: output } = objectOf(value);
  const counts = ['input_tokens', 'output_tokens', 'total_tokens'].map(
    (field) => objectOf(value)[field],
  );
  if (isObject(input)) counts.push(input['cached_tokens']);
  if (isObject(output)) counts.push(output['reasoning_tokens']);
  return counts.every((count) => typeof count === 'number');
}
