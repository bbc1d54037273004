import { isJsonObject } from '../../call-keys.ts';
import { jsonText } from '../json-text.ts';
import type { RenderableCall, RenderDialect } from '../render-dialect.ts';
import { asFunction } from '../tool-list.ts';

const MARKERS = ['<|python_tag|>'];

/** `{"name": …, "parameters": {…}}` without any marker, of Llama 3.1 and later. */
export const llama3Json: RenderDialect = {
  format: 'llama3-json',
  writeCalls: (calls) => calls.map(bareCall).join('; '),
  writeResult: ({ name, callId, content, isError = false }) =>
    jsonText(
      {
        [isError ? 'error' : 'output']: content,
        from: name,
        ...(callId === undefined ? {} : { for: callId }),
      },
      MARKERS,
    ),
  writePrompt: (tools, example) =>
    `Environment: ipython

You have access to the following functions. To call a function, please respond with JSON for a function call. Respond in the format {"name": function name, "parameters": dictionary of argument name and its value}. Do not use variables.

${tools.map((tool) => jsonText(asFunction(tool), MARKERS)).join('\n\n')}

For example:
${bareCall(example)}

A function call is the whole reply, with no text around it. To call several functions at once, separate the calls with "; ". The results come back as JSON with an "output" or an "error". Only call functions that are listed above; if none is needed, reply directly in natural language.`,
};

function bareCall({ name, arguments: args }: RenderableCall): string {
  // With `properties` among them, "parameters" would look like the schema of a tool and not like a call.
  const key = isJsonObject(args['properties']) ? 'arguments' : 'parameters';
  return jsonText({ name, [key]: args }, MARKERS);
}
