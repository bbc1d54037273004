import { jsonResult } from '../json-result.ts';
import { jsonText } from '../json-text.ts';
import type { RenderableCall, RenderDialect } from '../render-dialect.ts';
import { toolLines } from '../tool-list.ts';

const MARKERS = ['<tool_call>', '</tool_call>', '<tool_response>', '</tool_response>', '</tools>'];

/** `<tool_call>{…}</tool_call>`, of Hermes and Qwen. */
export const qwen: RenderDialect = {
  format: 'qwen',
  writeCalls: (calls) => calls.map(taggedCall).join('\n'),
  writeResult: (result) =>
    `<tool_response>\n${jsonText(jsonResult(result), MARKERS)}\n</tool_response>`,
  writePrompt: (tools, example) =>
    `# Tools

You may call one or more functions to assist with the user query.

You are provided with function signatures within <tools></tools> XML tags:
<tools>
${toolLines(tools, MARKERS)}
</tools>

For each function call, return a json object with function name and arguments within <tool_call></tool_call> XML tags, such as:
${taggedCall(example)}

To call several functions at once, write one <tool_call></tool_call> block after another. Write nothing after the last one: the results come back within <tool_response></tool_response> tags. If no function is needed, answer without any <tool_call>.`,
};

function taggedCall({ name, arguments: args }: RenderableCall): string {
  return `<tool_call>\n${jsonText({ name, arguments: args }, MARKERS)}\n</tool_call>`;
}
