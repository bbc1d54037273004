import { jsonResult } from '../json-result.ts';
import { jsonText } from '../json-text.ts';
import type { RenderableCall, RenderDialect } from '../render-dialect.ts';
import { toolLines } from '../tool-list.ts';

const MARKERS = ['[TOOL_CALL]', '[/TOOL_CALL]', '[TOOL_RESULT]', '[/TOOL_RESULT]'];

/** `[TOOL_CALL]{…}[/TOOL_CALL]`, for models that were trained on no dialect. */
export const commentary: RenderDialect = {
  format: 'commentary',
  writeCalls: (calls) => calls.map(taggedCall).join('\n'),
  writeResult: (result) => `[TOOL_RESULT]${jsonText(jsonResult(result), MARKERS)}[/TOOL_RESULT]`,
  writePrompt: (tools, example) =>
    `You can call tools. Each is listed with the JSON Schema of its parameters:

${toolLines(tools, MARKERS)}

To call a tool, write a JSON object with its name and its arguments between [TOOL_CALL] and [/TOOL_CALL], such as:

${taggedCall(example)}

To call several tools at once, write one [TOOL_CALL] block after another. Then stop: the results come back between [TOOL_RESULT] and [/TOOL_RESULT]. If no tool is needed, answer without [TOOL_CALL].`,
};

function taggedCall({ name, arguments: args }: RenderableCall): string {
  return `[TOOL_CALL]${jsonText({ name, arguments: args }, MARKERS)}[/TOOL_CALL]`;
}
