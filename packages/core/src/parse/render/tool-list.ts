import type { JsonObject, ToolDefinition } from '../../types.ts';
import { jsonText } from './json-text.ts';

/** The tools, one a line, in the shape OpenAI gave them and most models were trained on. */
export function toolLines(tools: readonly ToolDefinition[], markers: readonly string[]): string {
  return tools.map((tool) => jsonText(asFunction(tool), markers)).join('\n');
}

export function asFunction(tool: ToolDefinition): JsonObject {
  return { type: 'function', function: signatureOf(tool) };
}

/** Name, description and the JSON Schema of the arguments. */
export function signatureOf({ name, description, parameters }: ToolDefinition): JsonObject {
  return {
    name,
    ...(description === undefined ? {} : { description }),
    parameters: parameters ?? { type: 'object', properties: {} },
  };
}
