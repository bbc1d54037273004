import { invokeBlock } from '../invoke-block.ts';
import type { InvokeMarkup } from '../invoke-block.ts';
import { plainText } from '../plain-text.ts';
import type { RenderDialect } from '../render-dialect.ts';
import { toolLines } from '../tool-list.ts';

const TOKENS = ['<｜GCML｜', '</｜GCML｜', '<|GCML|', '</|GCML|'];
const MARKERS = [...TOKENS, '<|message_sep|>', '<|role_sep|>', '<|function_call|>', '</s>'];
const RESULT_MARKERS = [...MARKERS, '<tool_response>', '</tool_response>', '</tools>'];
const MARKUP: InvokeMarkup = {
  format: 'gigachat',
  wrapper: '｜GCML｜tool_calls',
  invoke: '｜GCML｜invoke',
  parameter: '｜GCML｜parameter',
  untyped: 'marked',
  attributes: ({ isString }) => ` string="${isString}"`,
  markers: MARKERS,
};

/** `<｜GCML｜tool_calls><｜GCML｜invoke name="NAME">…`, of GigaChat 3.5. */
export const gigachat: RenderDialect = {
  format: MARKUP.format,
  writeCalls: (calls, tools) => invokeBlock(calls, MARKUP, tools),
  writeResult: (result) =>
    `<tool_response>\n${plainText(result, RESULT_MARKERS)}\n</tool_response>`,
  writePrompt: (tools, example) =>
    `# Tools

You can call these tools, each with the JSON Schema of its parameters:
<tools>
${toolLines(tools, RESULT_MARKERS)}
</tools>

To call a tool, write a block in this format:
${invokeBlock([example], MARKUP)}

Values with string="true" are written as they are; all others are JSON with string="false". To call several tools at once, put several invoke blocks into the same tool_calls block, and write nothing after it: the results come back within <tool_response></tool_response> tags. If no tool is needed, answer without it.`,
};
