import { jsonResult } from '../json-result.ts';
import { jsonText } from '../json-text.ts';
import type { RenderableCall, RenderDialect } from '../render-dialect.ts';
import { toolLines } from '../tool-list.ts';

const MARKERS = ['[TOOL_REQUEST]', '[END_TOOL_REQUEST]', '[TOOL_RESULT]', '[END_TOOL_RESULT]'];

/** `[TOOL_REQUEST]{…}[END_TOOL_REQUEST]`, as LM Studio prompts models that have no template for tools. */
export const lmStudio: RenderDialect = {
  format: 'lm-studio',
  writeCalls: (calls) => calls.map(request).join('\n'),
  writeResult: (result) => `[TOOL_RESULT]${jsonText(jsonResult(result), MARKERS)}[END_TOOL_RESULT]`,
  writePrompt: (tools, example) =>
    `You are a tool-calling AI. You can request calls to the tools below; each is listed with the JSON Schema of its parameters.

${toolLines(tools, MARKERS)}

To request a call, write the tool's name and arguments as JSON between [TOOL_REQUEST] and [END_TOOL_REQUEST], exactly like this:

${request(example)}

To request several calls, write one [TOOL_REQUEST] block after another, then stop: the results come back between [TOOL_RESULT] and [END_TOOL_RESULT]. If no tool is needed, reply without [TOOL_REQUEST].`,
};

function request({ name, arguments: args }: RenderableCall): string {
  return `[TOOL_REQUEST]${jsonText({ name, arguments: args }, MARKERS)}[END_TOOL_REQUEST]`;
}
