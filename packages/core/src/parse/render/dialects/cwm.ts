import { checkSpelling } from '../check-spelling.ts';
import { jsonText } from '../json-text.ts';
import { PLAIN_NAME } from '../plain-name.ts';
import { plainText } from '../plain-text.ts';
import type { RenderableCall, RenderDialect } from '../render-dialect.ts';
import { toolLines } from '../tool-list.ts';

const FORMAT = 'cwm';
const MARKERS = ['<tool:', '</tool>', '<tool_response>', '</tool_response>', '</tools>'];

/** `<tool: function>` around a name and JSON, of Code World Model. */
export const cwm: RenderDialect = {
  format: FORMAT,
  writeCalls: (calls) => calls.map(block).join('\n'),
  writeResult: (result) => `<tool_response>\n${plainText(result, MARKERS)}\n</tool_response>`,
  writePrompt: (tools, example) =>
    `# Tools

You can call these tools, each with the JSON Schema of its parameters:
<tools>
${toolLines(tools, MARKERS)}
</tools>

To call a tool, write its name and its arguments as JSON on a line of their own, in this format:
${block(example)}

To call several tools at once, write one block after another, and nothing after the last one: the results come back within <tool_response></tool_response> tags. If no tool is needed, answer without <tool: function>.`,
};

function block({ name, arguments: args }: RenderableCall): string {
  checkSpelling(FORMAT, name, PLAIN_NAME);
  return `<tool: function>\n${name} ${jsonText(args, MARKERS)}\n</tool>`;
}
