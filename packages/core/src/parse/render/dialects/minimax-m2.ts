import { invokeBlock } from '../invoke-block.ts';
import type { InvokeMarkup } from '../invoke-block.ts';
import { jsonText } from '../json-text.ts';
import { plainText } from '../plain-text.ts';
import type { RenderDialect } from '../render-dialect.ts';
import { signatureOf } from '../tool-list.ts';

const MARKUP: InvokeMarkup = {
  format: 'minimax-m2',
  wrapper: 'minimax:tool_call',
  invoke: 'invoke',
  parameter: 'parameter',
  untyped: 'literal',
};

/** `<minimax:tool_call><invoke name="NAME"><parameter name="KEY">…`, of MiniMax M2. */
export const minimaxM2: RenderDialect = {
  format: MARKUP.format,
  writeCalls: (calls, tools) => invokeBlock(calls, MARKUP, tools),
  writeResult: (result) => `<response>${plainText(result, ['</response>'])}</response>`,
  writePrompt: (tools, example) =>
    `# Tools
You may call one or more tools to assist with the user query.
Here are the tools available in JSONSchema format:

<tools>
${tools.map((tool) => `<tool>${jsonText(signatureOf(tool), ['</tool'])}</tool>`).join('\n')}
</tools>

When making tool calls, use XML format to invoke tools and pass parameters, such as:

${invokeBlock([example], MARKUP)}

Strings stand as they are; all other values are JSON. To call several tools at once, put several <invoke> blocks into the same <minimax:tool_call>. Write nothing after it: the results come back in <response> tags. If no tool is needed, answer without <minimax:tool_call>.`,
};
