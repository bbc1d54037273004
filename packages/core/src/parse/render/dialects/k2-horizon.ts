import { argBlock } from '../arg-block.ts';
import type { ArgMarkup } from '../arg-block.ts';
import type { OfferedTools } from '../../offered-tools.ts';
import { plainText } from '../plain-text.ts';
import type { RenderableCall, RenderDialect } from '../render-dialect.ts';
import { toolLines } from '../tool-list.ts';

const RESULT_MARKERS = ['<tool_response>', '</tool_response>', '<ifm|', '</ifm|'];
const MARKUP: ArgMarkup = {
  format: 'k2-horizon',
  callBegin: '<ifm|tool_call>',
  callEnd: '</ifm|tool_call>',
  keyBegin: '<ifm|arg_key>',
  valueBegin: '</ifm|arg_key>\n<ifm|arg_value>',
  valueEnd: '</ifm|arg_value>',
  markers: ['<ifm|', '</ifm|'],
};

/** `<ifm|tool_calls><ifm|tool_call>NAME<ifm|arg_key>…` of K2 Horizon. */
export const k2Horizon: RenderDialect = {
  format: MARKUP.format,
  writeCalls: list,
  writeResult: (result) =>
    `<tool_response>\n${plainText(result, RESULT_MARKERS)}\n</tool_response>`,
  writePrompt: (tools, example) =>
    `# Tools

You can call these tools, each with the JSON Schema of its parameters:
<tools>
${toolLines(tools, ['</tools>', '<ifm|', '</ifm|'])}
</tools>

To call a tool, write its name, keys and values in this format:
${list([example])}

Strings are written as they are; all other values are JSON. To call several tools at once, put several <ifm|tool_call> blocks into the same <ifm|tool_calls>, and write nothing after it: the results come back within <tool_response></tool_response> tags. If no tool is needed, answer without <ifm|tool_calls>.`,
};

function list(calls: readonly RenderableCall[], tools?: OfferedTools): string {
  const blocks = calls.map((call) => argBlock(call, MARKUP, tools));
  return `<ifm|tool_calls>\n${blocks.join('\n')}\n</ifm|tool_calls>`;
}
