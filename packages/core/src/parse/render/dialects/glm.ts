import type { OfferedTools } from '../../offered-tools.ts';
import { checkSpelling } from '../check-spelling.ts';
import { jsonText } from '../json-text.ts';
import { PLAIN_NAME } from '../plain-name.ts';
import { plainText } from '../plain-text.ts';
import type { RenderableCall, RenderDialect } from '../render-dialect.ts';
import { textParameters } from '../text-parameters.ts';
import type { TextDialect } from '../text-parameters.ts';
import { toolLines } from '../tool-list.ts';

const RESULT_MARKERS = ['<tool_response>', '</tool_response>', '<|observation|>'];
const VALUES: TextDialect = {
  key: PLAIN_NAME,
  untyped: 'text',
  markers: ['<arg_', '</arg_', '<tool_call>', '</tool_call>'],
};

/** `<tool_call>NAME<arg_key>…</arg_key><arg_value>…</arg_value></tool_call>`, of GLM 4.5 and later. */
export const glm: RenderDialect = {
  format: 'glm',
  writeCalls: (calls, tools) => calls.map((call) => block(call, tools)).join('\n'),
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
${block(example)}

Strings stand as they are; all other values are JSON. To call several functions at once, write one <tool_call></tool_call> block after another and nothing behind them: the results come back within <tool_response></tool_response> tags. If no function is needed, answer without <tool_call>.`,
};

function block(call: RenderableCall, tools?: OfferedTools): string {
  checkSpelling('glm', call.name, PLAIN_NAME);
  return `<tool_call>${call.name}\n${body(call, tools)}</tool_call>`;
}

/** What cannot be written as text is written as JSON, which the parser reads in place of keys and values. */
function body(call: RenderableCall, tools: OfferedTools | undefined): string {
  const parameters = textParameters(call, VALUES, tools);
  if (typeof parameters === 'string') return `${jsonText(call.arguments, VALUES.markers)}\n`;
  return parameters
    .map(({ key, text }) => `<arg_key>${key}</arg_key>\n<arg_value>${text}</arg_value>\n`)
    .join('');
}
