import { argBlock } from '../arg-block.ts';
import type { ArgMarkup } from '../arg-block.ts';
import { plainText } from '../plain-text.ts';
import type { RenderDialect } from '../render-dialect.ts';
import { toolLines } from '../tool-list.ts';

const TOKENS = ['<|tool_call:', '<|tool_arg:'];
const MARKERS = [...TOKENS, '<|tool_response:', '<|tool:', '<|im:'];
const MARKUP: ArgMarkup = {
  format: 'solar-open2',
  callBegin: '<|tool_call:start|>',
  callEnd: '<|tool_call:end|>',
  keyBegin: '<|tool_arg:start|>',
  valueBegin: '<|tool_arg:value|>',
  valueEnd: '<|tool_arg:end|>',
  markers: TOKENS,
};

/** `<|tool_call:start|>NAME<|tool_arg:start|>KEY<|tool_arg:value|>…` of Solar Open 2. */
export const solarOpen2: RenderDialect = {
  format: MARKUP.format,
  writeCalls: (calls, tools) => calls.map((call) => argBlock(call, MARKUP, tools)).join('\n'),
  writeResult: (result) =>
    `<|tool_response:start|>${plainText(result, MARKERS)}<|tool_response:end|>`,
  writePrompt: (tools, example) =>
    `# Tools

You can call these tools, each with the JSON Schema of its parameters:
<|tool:start|>
${toolLines(tools, MARKERS)}
<|tool:end|>

To call a tool, write its name, then each argument on a line of its own, as in:
${argBlock(example, MARKUP)}

Strings are written as they are; all other values are JSON. To call several tools at once, write one block after another, and nothing after the last one: the results come back between <|tool_response:start|> and <|tool_response:end|>. If no tool is needed, answer without <|tool_call:start|>.`,
};
