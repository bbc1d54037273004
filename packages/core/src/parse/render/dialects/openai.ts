import type { JsonObject } from '../../../types.ts';
import { jsonText } from '../json-text.ts';
import type { RenderableCall, RenderDialect } from '../render-dialect.ts';
import { toolLines } from '../tool-list.ts';

/** `{"tool_calls": […]}` as JSON in the text. */
export const openai: RenderDialect = {
  format: 'openai',
  writeCalls: message,
  writeResult: ({ name, callId, content, isError = false }) =>
    jsonText({
      role: 'tool',
      ...(callId === undefined ? {} : { tool_call_id: callId }),
      name,
      ...(isError ? { is_error: true } : {}),
      content: typeof content === 'string' ? content : jsonText(content),
    }),
  writePrompt: (tools, example) =>
    `You can call tools. Each is listed with the JSON Schema of its parameters:

${toolLines(tools, [])}

To call tools, reply with nothing but a JSON object such as this, in which "arguments" is a string that holds JSON:

${message([example])}

To call several tools at once, put one object for each into "tool_calls". The results come back as objects with "role": "tool". If no tool is needed, answer in plain text.`,
};

function message(calls: readonly RenderableCall[]): string {
  return jsonText({ tool_calls: calls.map(entry) });
}

function entry({ id, name, arguments: args }: RenderableCall, at: number): JsonObject {
  return {
    id: id ?? `call_${at + 1}`,
    type: 'function',
    function: { name, arguments: jsonText(args) },
  };
}
