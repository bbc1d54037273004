import { argBlock } from '../arg-block.ts';
import type { ArgMarkup } from '../arg-block.ts';
import { plainText } from '../plain-text.ts';
import type { RenderDialect } from '../render-dialect.ts';
import { toolLines } from '../tool-list.ts';

const RESULT_MARKERS = ['<tool_response>', '</tool_response>', '<|observation|>'];
const MARKUP: ArgMarkup = {
  format: 'glm',
  callBegin: '<tool_call>',
  callEnd: '</tool_call>',
  keyBegin: '<arg_key>',
  valueBegin: '</arg_key>\n<arg_value>',
  valueEnd: '</arg_value>',
  markers: ['<arg_', '</arg_', '<tool_call>', '</tool_call>'],
};

/** `<tool_call>NAME<arg_key>…</arg_key><arg_value>…</arg_value></tool_call>`, of GLM 4.5 and later. */
export const glm: RenderDialect = {
  format: MARKUP.format,
  writeCalls: (calls, tools) => calls.map((call) => argBlock(call, MARKUP, tools)).join('\n'),
  writeResult: (result) =>
    `<tool_response>\n${plainText(result, RESULT_MARKERS)}\n</tool_response>`,
  writePrompt: (tools, example) =>
    `# Tools

You may call one or more functions to assist with the user query.

You are provided with function signatures within <tools></tools> XML tags:
<tools>
${toolLines(tools, ['</tools>'])}
</tools>

For each function call, output the function name and arguments within the following XML format:
<tool_call>{function-name}
<arg_key>{arg-key-1}</arg_key>
<arg_value>{arg-value-1}</arg_value>
...
</tool_call>

For example:
${argBlock(example, MARKUP)}

Strings stand as they are; all other values are JSON. To call several functions at once, write one <tool_call></tool_call> block after another and nothing behind them: the results come back within <tool_response></tool_response> tags. If no function is needed, answer without <tool_call>.`,
};
