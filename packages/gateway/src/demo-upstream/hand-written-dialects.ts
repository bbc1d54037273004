import { renderToolCall } from '@holdfast/core/parse';
import type { RenderableCall } from '@holdfast/core/parse';

/** Writes a call as models of some dialect do. */
export type WriteCall = (call: RenderableCall) => string;

const json = ({ arguments: args }: RenderableCall): string => JSON.stringify(args);
/** A call as an object, under the keys that a dialect has for its name and its arguments. */
const object = (call: RenderableCall, name: string, args: string): string =>
  JSON.stringify({ [name]: call.name, [args]: call.arguments });
const plain = (call: RenderableCall): string => object(call, 'name', 'arguments');

/** What a dialect writes, with the tags of a kindred one. */
const retagged =
  (dialect: string, tags: Readonly<Record<string, string>>): WriteCall =>
  (call) =>
    Object.entries(tags).reduce(
      (text, [from, to]) => text.replaceAll(from, to),
      renderToolCall(call, dialect),
    );

/** Without the brackets of the list. */
const pythonCall = (call: RenderableCall): string => renderToolCall(call, 'pythonic').slice(1, -1);

/** The dialects that `renderToolCall` does not write. */
export const HAND_WRITTEN: Readonly<Record<string, WriteCall>> = {
  apertus: (call) =>
    `<|tools_prefix|>[${JSON.stringify({ [call.name]: call.arguments })}]<|tools_suffix|>`,
  cohere: ({ name, arguments: parameters }) =>
    `<|START_ACTION|>[${JSON.stringify({ tool_call_id: '0', tool_name: name, parameters })}]<|END_ACTION|>`,
  'command-r': (call) =>
    `Action:\n\`\`\`json\n[${object(call, 'tool_name', 'parameters')}]\n\`\`\``,
  'deepseek-v3': (call) =>
    `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>${call.name}\n` +
    `\`\`\`json\n${json(call)}\n\`\`\`<｜tool▁call▁end｜><｜tool▁calls▁end｜>`,
  dots: retagged('anthropic-xml', { function_calls: 'dots_function_call' }),
  'functionary-v3.1': (call) => `<function=${call.name}>${json(call)}</function>`,
  'functionary-v3.2': (call) => `>>>${call.name}\n${json(call)}`,
  functools: (call) => `functools[${plain(call)}]`,
  'generic-json': (call) => `{"tool_call": ${plain(call)}}`,
  granite: (call) => `<|tool_call|>[${plain(call)}]`,
  inkling: (call) => `<|content_invoke_tool_json|>${object(call, 'name', 'args')}<|end_message|>`,
  internlm: (call) =>
    `<|action_start|><|plugin|>\n${object(call, 'name', 'parameters')}<|action_end|>`,
  lfm2: (call) => `<|tool_call_start|>[${pythonCall(call)}]<|tool_call_end|>`,
  longcat: (call) => `<longcat_tool_call>${plain(call)}</longcat_tool_call>`,
  'longcat-pairs': retagged('glm', {
    tool_call: 'longcat_tool_call',
    arg_key: 'longcat_arg_key',
    arg_value: 'longcat_arg_value',
  }),
  'muse-glimmer': retagged('anthropic-xml', {
    '<': '<atem:',
    '<atem:/': '</atem:',
  }),
  'nemotron-v2': (call) => `<TOOLCALL>[${plain(call)}]</TOOLCALL>`,
  olmo3: (call) => `<function_calls>${pythonCall(call)}</function_calls>`,
  'seed-oss': retagged('qwen3-coder', { tool_call: 'seed:tool_call' }),
  'solar-open': (call) =>
    `<|tool_calls|><|tool_call:begin|>0<|tool_call:name|>${call.name}` +
    `<|tool_call:args|>${json(call)}<|tool_call:end|>`,
  'tool-calls-tag': (call) => `<tool_calls>[${plain(call)}]</tool_calls>`,
  xlam: (call) => `[${plain(call)}]`,
};
