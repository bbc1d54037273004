import type { JsonValue } from '@holdfast/core';
import type { ToolResult } from '@holdfast/core/advise';
import { objectOf, textOf } from '../../proxy/json/json-fields.ts';
import { PATCH_TOOL, SHELL_TOOL } from './codex-tools.ts';

/**
 * What PostToolUse says of a call. It is told of commands however they ended, and of other calls only where Codex
 * takes them for successes.
 */
export function readResponse(tool: string, response: JsonValue | undefined): ToolResult {
  const output = textIn(response);
  if (tool === SHELL_TOOL) return { tool, output };
  if (tool === PATCH_TOOL) return { tool, output, ...exitCodeIn(output) };
  return { tool, output, isError: objectOf(response)['isError'] === true };
}

/** The code in front of what a command printed, as Codex writes it for the model. */
export function exitCodeIn(text: string): { readonly exitCode?: number } {
  const found = EXIT_CODE.exec(text);
  return found === null ? {} : { exitCode: Number(found[1]) };
}

// Only before the output: a command may print such a line itself.
const EXIT_CODE =
  /^(?:Chunk ID: [^\n]{0,100}\n|Wall time: [^\n]{0,100}\n){0,2}(?:Process exited with code|Exit code:) (\d{1,10})(?:\n|$)/;

/** The text of a result: a string, blocks of content, or whatever else as JSON. */
export function textIn(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  const blocks = Array.isArray(value) ? value : objectOf(value)['content'];
  if (!Array.isArray(blocks)) return JSON.stringify(value);
  return blocks.map((block) => textOf(objectOf(block)['text'])).join('\n');
}
