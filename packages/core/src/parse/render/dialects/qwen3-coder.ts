import type { OfferedTools } from '../../offered-tools.ts';
import { jsonText } from '../json-text.ts';
import { PLAIN_NAME } from '../plain-name.ts';
import { plainText } from '../plain-text.ts';
import type { RenderableCall, RenderDialect } from '../render-dialect.ts';
import { checkSpelling } from '../check-spelling.ts';
import { textParameters } from '../text-parameters.ts';
import type { TextDialect } from '../text-parameters.ts';
import { toolLines } from '../tool-list.ts';

const RESULT_MARKERS = ['<tool_response>', '</tool_response>'];
const VALUES: TextDialect = {
  key: PLAIN_NAME,
  untyped: 'text',
  markers: [
    ...['<parameter', '</parameter', '<function', '</function', '<tool_call>', '</tool_call>'],
    // Tags that models put around whole values, and parsers take off again.
    ...['<![CDATA[', '<value>'],
  ],
  // A return before the line break that ends the value would be taken for part of it.
  refuses: (text) => text.endsWith('\r'),
};

/** `<tool_call><function=NAME><parameter=KEY>…`, of Qwen3-Coder and its kin. */
export const qwen3Coder: RenderDialect = {
  format: 'qwen3-coder',
  writeCalls: (calls, tools) => calls.map((call) => block(call, tools)).join('\n'),
  writeResult: (result) =>
    `<tool_response>\n${plainText(result, RESULT_MARKERS)}\n</tool_response>`,
  writePrompt: (tools, example) =>
    `# Tools

You have access to the following functions:

<tools>
${toolLines(tools, ['</tools>'])}
</tools>

If you choose to call a function ONLY reply in the following format with NO suffix:

${block(example)}

<IMPORTANT>
- Function calls MUST follow the specified format: an inner <function=...></function> block nested within <tool_call></tool_call> XML tags, with one <parameter=...></parameter> for each parameter.
- Values stand as they are, over as many lines as needed; lists and objects are JSON. Required parameters MUST be specified.
- To call several functions at once, write one <tool_call></tool_call> block after another. The results come back within <tool_response></tool_response> tags.
- You may reason in natural language BEFORE the function call, but NOT after. If no function is needed, answer the question like normal, without <tool_call>.
</IMPORTANT>`,
};

function block(call: RenderableCall, tools?: OfferedTools): string {
  checkSpelling('qwen3-coder', call.name, PLAIN_NAME);
  return `<tool_call>\n<function=${call.name}>\n${body(call, tools)}</function>\n</tool_call>`;
}

/** What cannot be written as text is written as JSON, which the parser reads in place of parameters. */
function body(call: RenderableCall, tools: OfferedTools | undefined): string {
  const parameters = textParameters(call, VALUES, tools);
  if (typeof parameters === 'string') return `${jsonText(call.arguments, VALUES.markers)}\n`;
  return parameters.map(({ key, text }) => `<parameter=${key}>\n${text}\n</parameter>\n`).join('');
}
