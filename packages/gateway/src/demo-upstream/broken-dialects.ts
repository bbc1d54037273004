import type { JsonValue, RenderableCall } from '@holdfast/core/parse';
import type { WriteCall } from './hand-written-dialects.ts';

const asJson = ({ name, arguments: args }: RenderableCall): string =>
  JSON.stringify({ name, arguments: args });

/** What models get wrong, each under the name of the model that always does. */
export const BROKEN: Readonly<Record<string, WriteCall>> = {
  'qwen-single-quotes': ({ name, arguments: args }) =>
    `<tool_call>\n${asPython({ name, arguments: args })}\n</tool_call>`,
  'qwen-missing-brace': (call) => `<tool_call>\n${asJson(call).slice(0, -1)}\n</tool_call>`,
  'qwen-no-end': (call) => `<tool_call>\n${asJson(call)}`,
  'qwen-fenced': (call) => `<tool_call>\n\`\`\`json\n${asJson(call)}\n\`\`\`\n</tool_call>`,
  'qwen-trailing-comma': (call) => `<tool_call>\n${asJson(call).slice(0, -1)},}\n</tool_call>`,
  'qwen-double-encoded': ({ name, arguments: args }) =>
    `<tool_call>\n${JSON.stringify({ name, arguments: JSON.stringify(args) })}\n</tool_call>`,
  'qwen-thinking': (call) =>
    `<think>\nThere is a tool for this, ${call.name}. I will call it once.\n</think>\n\n` +
    `<tool_call>\n${asJson(call)}\n</tool_call>`,
};

/** A value as Python prints it. */
function asPython(value: JsonValue): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return `'${escape(value)}'`;
  if (isList(value)) return `[${value.map(asPython).join(', ')}]`;
  const pairs = Object.entries(value).map(([key, item]) => `'${escape(key)}': ${asPython(item)}`);
  return `{${pairs.join(', ')}}`;
}

function escape(text: string): string {
  return JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}
