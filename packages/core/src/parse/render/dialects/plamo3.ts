import { checkSpelling } from '../check-spelling.ts';
import { jsonText } from '../json-text.ts';
import { plainText } from '../plain-text.ts';
import { PLAIN_NAME } from '../plain-name.ts';
import type { RenderableCall, RenderDialect } from '../render-dialect.ts';
import { toolLines } from '../tool-list.ts';

const FORMAT = 'plamo3';
const MARKERS = ['<|plamo:', '<tool_response>', '</tool_response>', '</tools>'];
const token = (name: string): string => `<|plamo:${name}:plamo|>`;

/** A name and JSON, each part of a call between two tokens: PLaMo 3. */
export const plamo3: RenderDialect = {
  format: FORMAT,
  writeCalls: list,
  writeResult: (result) => `<tool_response>\n${plainText(result, MARKERS)}\n</tool_response>`,
  writePrompt: (tools, example) =>
    `# Tools

You can call these tools, each with the JSON Schema of its parameters:
<tools>
${toolLines(tools, MARKERS)}
</tools>

To call a tool, write its name and its arguments as JSON in this format:
${list([example])}

To call several tools at once, put one request after another into the same list, and write nothing after it: the results come back within <tool_response></tool_response> tags. If no tool is needed, answer without a list of requests.`,
};

function list(calls: readonly RenderableCall[]): string {
  const requests = calls.map(request);
  return `${token('begin_tool_requests')}${requests.join('')}${token('end_tool_requests')}`;
}

function request({ name, arguments: args }: RenderableCall): string {
  checkSpelling(FORMAT, name, PLAIN_NAME);
  return [
    `${token('begin_tool_request')}${token('begin_tool_name')}${name}${token('end_tool_name')}`,
    `${token('begin_tool_arguments')}<|plamo:constrain|>json<|plamo:msg|>${jsonText(args, MARKERS)}`,
    `${token('end_tool_arguments')}${token('end_tool_request')}`,
  ].join('');
}
