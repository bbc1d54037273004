import { jsonText } from '../json-text.ts';
import { plainText } from '../plain-text.ts';
import type { RenderableCall, RenderDialect } from '../render-dialect.ts';
import { checkSpelling } from '../check-spelling.ts';
import { asFunction } from '../tool-list.ts';

const MARKERS = [
  '<|tool_calls_section_begin|>',
  '<|tool_calls_section_end|>',
  '<|tool_call_begin|>',
  '<|tool_call_argument_begin|>',
  '<|tool_call_end|>',
  '<|im_end|>',
];
/** Longer headers are not read. */
const NAME = /^[^<>|\n\r]{1,200}$/;

/** `<|tool_call_begin|>functions.NAME:0<|tool_call_argument_begin|>{…}<|tool_call_end|>` in a section. */
export const kimiK2: RenderDialect = {
  format: 'kimi-k2',
  writeCalls: section,
  writeResult: (result) =>
    `## Return of ${idOf(result.name, result.callId, 0)}\n${plainText(result, MARKERS)}`,
  writePrompt: (tools, example) =>
    `# Tools

You can call the tools of this JSON array, each with the JSON Schema of its parameters:

${jsonText(tools.map(asFunction), MARKERS)}

To call a tool, write its name as functions.NAME:INDEX and its arguments as JSON, within a section at the end of your reply, such as:

${section([example])}

Put several calls into the same section; INDEX counts all calls of the conversation, from 0. The results come back under "## Return of functions.NAME:INDEX". If no tool is needed, answer without a section.`,
};

function section(calls: readonly RenderableCall[]): string {
  const written = calls.map(({ id, name, arguments: args }, at) => {
    checkSpelling('kimi-k2', name, NAME);
    const header = idOf(name, id, at);
    return `<|tool_call_begin|>${header}<|tool_call_argument_begin|>${jsonText(args, MARKERS)}<|tool_call_end|>`;
  });
  return `<|tool_calls_section_begin|>${written.join('')}<|tool_calls_section_end|>`;
}

/** The id names the tool: one of another dialect's cannot be kept. */
function idOf(name: string, id: string | undefined, at: number): string {
  const prefix = `functions.${name}:`;
  const isOwn = id?.startsWith(prefix) === true && /^\d{1,9}$/.test(id.slice(prefix.length));
  return isOwn ? id : `${prefix}${at}`;
}
