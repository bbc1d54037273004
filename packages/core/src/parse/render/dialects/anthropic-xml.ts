import { invokeBlock } from '../invoke-block.ts';
import type { InvokeMarkup } from '../invoke-block.ts';
import { jsonText } from '../json-text.ts';
import { plainText } from '../plain-text.ts';
import type { RenderDialect } from '../render-dialect.ts';
import { signatureOf } from '../tool-list.ts';

const RESULT_MARKERS = ['</stdout>', '</error>', '</result>', '</function_results>'];
const MARKUP: InvokeMarkup = {
  format: 'anthropic-xml',
  wrapper: 'function_calls',
  invoke: 'invoke',
  parameter: 'parameter',
  untyped: 'literal',
  markers: ['antml:', '</minimax:tool_call>', '</tool_calls>'],
};

/** `<function_calls><invoke name="NAME"><parameter name="KEY">…`, of Anthropic's prompts. */
export const anthropicXml: RenderDialect = {
  format: MARKUP.format,
  writeCalls: (calls, tools) => invokeBlock(calls, MARKUP, tools),
  writeResult: (result) => {
    const { name, isError = false } = result;
    const text = plainText({ ...result, isError: false }, RESULT_MARKERS);
    if (isError) return `<function_results>\n<error>\n${text}\n</error>\n</function_results>`;
    return `<function_results>\n<result>\n<tool_name>${name}</tool_name>\n<stdout>\n${text}\n</stdout>\n</result>\n</function_results>`;
  },
  writePrompt: (tools, example) =>
    `In this environment you have access to a set of tools you can use to answer the user's question.

You can invoke them by writing a "<function_calls>" block like the following as part of your reply:
${invokeBlock([example], MARKUP)}

String and scalar parameters should be specified as is, while lists and objects should use JSON format. To call several tools at once, put several <invoke> blocks into the same <function_calls> block. Write nothing after it: the results come back in a <function_results> block. If no tool is needed, answer without <function_calls>.

Here are the functions available in JSONSchema format:
<functions>
${tools.map((tool) => `<function>${jsonText(signatureOf(tool), ['</function'])}</function>`).join('\n')}
</functions>`,
};
