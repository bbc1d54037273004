import { invokeBlock } from '../invoke-block.ts';
import type { InvokeMarkup } from '../invoke-block.ts';
import { jsonText } from '../json-text.ts';
import { plainText } from '../plain-text.ts';
import type { RenderDialect } from '../render-dialect.ts';
import { signatureOf } from '../tool-list.ts';

const MARKUP: InvokeMarkup = {
  format: 'deepseek-dsml',
  wrapper: '｜DSML｜function_calls',
  invoke: '｜DSML｜invoke',
  parameter: '｜DSML｜parameter',
  untyped: 'marked',
  attributes: ({ isString }) => ` string="${isString}"`,
  markers: ['<｜DSML｜', '</｜DSML｜', '<|DSML|', '</|DSML|'],
};

/** `<｜DSML｜function_calls><｜DSML｜invoke name="NAME">…`, of DeepSeek V3.2; V4 differs in one word. */
export const deepseekDsml: RenderDialect = {
  format: MARKUP.format,
  writeCalls: (calls, tools) => invokeBlock(calls, MARKUP, tools),
  writeResult: (result) => {
    const text = plainText(result, ['</result>', '</function_results>']);
    return `<function_results>\n<result>${text}</result>\n</function_results>`;
  },
  writePrompt: (tools, example) =>
    `## Tools

You have access to a set of tools you can use to answer the user's question.
You can invoke functions by writing a "<｜DSML｜function_calls>" block like the following as part of your reply to the user:
${invokeBlock([example], MARKUP)}

String and scalar parameters should be specified as is without any escaping or quotes, while lists and objects should use JSON format. The "string" attribute should be set to "true" for string type parameters and "false" for other types (numbers, booleans, arrays, objects).

To call several functions at once, put several invoke blocks into the same function_calls block. Write nothing after it: the results come back in a <function_results> block. If no function is needed, answer without it.

Here are the functions available in JSONSchema format:
<functions>
${tools.map((tool) => jsonText(signatureOf(tool), ['</functions>'])).join('\n')}
</functions>`,
};
