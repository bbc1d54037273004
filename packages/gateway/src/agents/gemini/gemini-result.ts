import type { JsonObject, JsonValue } from '@holdfast/core';
import type { ToolResult } from '@holdfast/core/advise';
import { isObject, listOf, objectOf, textOf } from '../../proxy/json/json-fields.ts';
import { readShellOutput } from './gemini-shell-output.ts';

/** How a call ended, from what Gemini CLI tells its AfterTool hooks. */
export function readGeminiResult(tool: string, response: JsonObject): ToolResult {
  const content = contentText(response['llmContent']);
  const error = objectOf(response['error']);
  const type = textOf(error['type']);
  if (type === 'policy_violation' || STOPPED.test(content)) {
    return { tool, output: content, notRun: 'denied' };
  }
  if (response['error'] !== undefined && response['error'] !== null) {
    const message = textOf(error['message']);
    // What the model gets to see of an error is its message.
    const output = type === 'mcp_tool_error' ? serverText(message) : message || content;
    return { tool, output, isError: true };
  }
  if (tool !== SHELL_TOOL) return { tool, output: content };
  return { tool, ...readShellOutput(content, textOf(response['returnDisplay'])) };
}

const SHELL_TOOL = 'run_shell_command';

/** A hook, ours or another, did not let it run. */
const STOPPED = /^(?:Tool execution blocked|Agent execution stopped by hook): /;

/** The text of a part, or of a list of them. */
function contentText(content: JsonValue | undefined): string {
  if (typeof content === 'string') return content;
  if (isObject(content)) return textOf(content['text']);
  return listOf(content)
    .map(contentText)
    .filter((text) => text !== '')
    .join('\n');
}

/** What an MCP server said, of which Gemini CLI tells with the call and the protocol around it. */
function serverText(message: string): string {
  const at = message.lastIndexOf(BEFORE_RESPONSE);
  if (at < 0) return message;
  const [part] = listOf(parsed(message.slice(at + BEFORE_RESPONSE.length)));
  const response = objectOf(objectOf(objectOf(part)['functionResponse'])['response']);
  const failure = objectOf(response['error']);
  const said = contentText(response['content']) || contentText(failure['content']);
  return said || textOf(failure['message']) || message;
}

const BEFORE_RESPONSE = ' with response: ';

function parsed(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}
