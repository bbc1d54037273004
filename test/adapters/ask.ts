import type { ToolDefinition } from '@holdfast/core';
import { startScriptedUpstream } from '../support/scripted-upstream.ts';
import type { Script, ScriptedUpstream } from '../support/scripted-upstream.ts';

/** A tool that the tests offer. */
export const READ_FILE: ToolDefinition = {
  name: 'read_file',
  description: 'Reads a file.',
  parameters: {
    type: 'object',
    properties: { path: { type: 'string' }, lines: { type: 'integer' } },
    required: ['path'],
  },
};

/** A call of it, as Hermes and Qwen write it. */
export const WRITTEN_CALL =
  '<tool_call>{"name": "read_file", "arguments": {"path": "notes.md"}}</tool_call>';

/** Text that begins like calls in many dialects and is none, with what breaks byte by byte readers. */
export const PLAIN_TEXT =
  ' \n\tGrüße, 日本 📁: use `<tool_call>` or [TOOL_CALL], "{\\"name\\"" <function=x> <|python_tag|>\r\n a < b && c > d \n\n';

/** A server on loopback for as long as `use` runs. */
export async function withServer(
  script: Script,
  use: (server: ScriptedUpstream) => Promise<void>,
): Promise<void> {
  const server = await startScriptedUpstream(script);
  try {
    await use(server);
  } finally {
    await server.close();
  }
}
