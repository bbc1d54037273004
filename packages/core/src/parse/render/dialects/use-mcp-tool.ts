import { ToolRenderError } from '../../../errors.ts';
import { checkSpelling } from '../check-spelling.ts';
import { jsonText } from '../json-text.ts';
import { PLAIN_NAME } from '../plain-name.ts';
import { plainText } from '../plain-text.ts';
import type { RenderableCall, RenderDialect } from '../render-dialect.ts';
import { toolLines } from '../tool-list.ts';

const FORMAT = 'use-mcp-tool';
const MARKERS = ['<use_mcp_tool>', '</use_mcp_tool>', '<arguments>', '</arguments>', '</tools>'];
/** The parser adds a server to the name of a tool only where such a tool was offered. */
const SERVER = 'tools';

/** `<use_mcp_tool>` around a server, a tool and JSON, of MiroThinker and Cline. */
export const useMcpTool: RenderDialect = {
  format: FORMAT,
  writeCalls: (calls) => calls.map(block).join('\n'),
  writeResult: (result) => `[use_mcp_tool for '${SERVER}'] Result:\n${plainText(result, MARKERS)}`,
  writePrompt: (tools, example) =>
    `# Tools

The MCP server "${SERVER}" has these tools, each with the JSON Schema of its parameters:
<tools>
${toolLines(tools, MARKERS)}
</tools>

To use a tool, write the server, the tool and its arguments as JSON in this format:
${block(example)}

To use several tools at once, write one block after another, and nothing after the last one: each result comes back after "[use_mcp_tool for '${SERVER}'] Result:". If no tool is needed, answer without <use_mcp_tool>.`,
};

function block({ name, arguments: args }: RenderableCall): string {
  checkSpelling(FORMAT, name, PLAIN_NAME);
  if (name === 'use_mcp_tool')
    throw new ToolRenderError(
      `${FORMAT} cannot call ${name}: the tag would be a call of that tool`,
    );
  const server = `<server_name>${SERVER}</server_name>`;
  const tool = `<tool_name>${name}</tool_name>`;
  const json = jsonText(args, MARKERS);
  return `<use_mcp_tool>\n${server}\n${tool}\n<arguments>\n${json}\n</arguments>\n</use_mcp_tool>`;
}
