import type { JsonObject, ToolDefinition } from '@holdfast/core';
import { promptTools } from '../proxy/prompt/prompt-tools.ts';

/** What the model is asked to call. */
export const PROBE_TOOL: ToolDefinition = {
  name: 'get_weather',
  description: 'Tells the weather in a city.',
  parameters: {
    type: 'object',
    properties: { city: { type: 'string', description: 'Name of the city' } },
    required: ['city'],
  },
};

/** Room for a model that thinks first. */
const MAX_TOKENS = 2_048;

/** A request that any model which knows tools answers with a call. */
export function probeRequest(model: string, stream: boolean): JsonObject {
  return {
    model,
    messages: [
      { role: 'system', content: 'You answer questions with the tools you are given.' },
      { role: 'user', content: 'What is the weather in Oslo? Call get_weather to find out.' },
    ],
    tools: [{ type: 'function', function: { ...PROBE_TOOL } }],
    temperature: 0,
    max_tokens: MAX_TOKENS,
    stream,
  };
}

/** The same without the `tools` field: the model is told of the tool as the proxy would tell it. */
export function promptedRequest(model: string): JsonObject {
  return promptTools(probeRequest(model, false), [PROBE_TOOL], { model }).body;
}
