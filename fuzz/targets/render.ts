import {
  parseJson,
  parseToolCalls,
  RENDER_FORMATS,
  renderToolCall,
  renderToolResult,
  ToolRenderError,
} from '@holdfast/core/parse';
import type { JsonObject } from '@holdfast/core/parse';
import { Choices } from '../loop/fuzz-input.ts';
import { expectSame } from '../loop/fuzz-target.ts';
import type { FuzzTarget } from '../loop/fuzz-target.ts';
import { OFFERED } from './reading-laws.ts';
import { COMMON_WORDS } from './words.ts';

/** Calls that are written in a dialect and read back: the text is JSON of their arguments. */
export const renderTarget: FuzzTarget = {
  name: 'render',
  seeds: [
    '{"path": "a.md", "lines": 3}',
    '{"query": "x </tool_call> \\n y", "tags": ["a", "b"], "where": {"a": 1.5}}',
    '{}',
  ].map((text) => ({ text, choice: 0 })),
  words: COMMON_WORDS,
  sources: ['packages/core/src/parse/render'],
  run: ({ text, choice }) => {
    const parsed = parseJson(text);
    const value = parsed.ok ? parsed.value : text;
    const choices = new Choices(choice);
    const format = RENDER_FORMATS[choices.below(RENDER_FORMATS.length)] ?? 'qwen';
    const args: JsonObject = isObject(value) ? value : { value };
    const name = choices.of('read_file', 'search', 'f');
    const calls = choices.flag() ? [{ name, arguments: args }] : twice(name, args);
    const written = ifWritable(() => renderToolCall(calls, format, { tools: OFFERED }));
    if (written !== undefined) {
      const read = parseToolCalls(written, { tools: OFFERED, format, clock: { now: () => 0 } });
      expectSame(
        'what is written reads back as the same calls',
        JSON.stringify(read.calls.map((call) => [call.name, call.arguments])),
        JSON.stringify(calls.map((call) => [call.name, call.arguments])),
      );
    }
    ifWritable(() => renderToolResult({ name, content: text }, format));
  },
};

function twice(name: string, args: JsonObject): { name: string; arguments: JsonObject }[] {
  return [
    { name, arguments: args },
    { name: 'f', arguments: {} },
  ];
}

/** What was written; undefined where the dialect says that it cannot. */
function ifWritable(write: () => string): string | undefined {
  try {
    return write();
  } catch (error) {
    if (error instanceof ToolRenderError) return undefined;
    throw error;
  }
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
