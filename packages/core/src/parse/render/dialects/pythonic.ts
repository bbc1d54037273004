import { keptDigits } from '../../../internal/exact-json.ts';
import { isList } from '../../../internal/schema-walk.ts';
import type { JsonValue } from '../../../types.ts';
import { jsonText } from '../json-text.ts';
import type { RenderableCall, RenderDialect } from '../render-dialect.ts';
import { checkSpelling } from '../check-spelling.ts';
import { signatureOf } from '../tool-list.ts';

const NAME = /^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*$/;
const KEY = /^[A-Za-z_]\w*$/;

/** `[f(a=1, b="x"), g()]`: Python, of Llama 3.2, Llama 4 and ToolACE. */
export const pythonic: RenderDialect = {
  format: 'pythonic',
  writeCalls: list,
  writeResult: ({ name, callId, content, isError = false }) =>
    jsonText([
      {
        [isError ? 'error' : 'output']: content,
        from: name,
        ...(callId === undefined ? {} : { for: callId }),
      },
    ]),
  writePrompt: (tools, example) =>
    `You are an expert in composing functions. You are given a question and a set of possible functions. Based on the question, you may need to make one or more function calls to achieve the purpose.

If you decide to invoke any of the functions, you MUST put it in the format of [func_name1(params_name1=params_value1, params_name2=params_value2...), func_name2(params)]. You SHOULD NOT include any other text in the response. Values are Python literals; strings are quoted. For example:
${list([example])}

To call several functions at once, put them into the same list. The results come back as JSON with an "output" or an "error". If none of the functions is needed, answer in plain text, without a list.

Here is a list of functions in JSON format that you can invoke:
${jsonText(tools.map(signatureOf))}`,
};

function list(calls: readonly RenderableCall[]): string {
  return `[${calls.map(invocation).join(', ')}]`;
}

function invocation({ name, arguments: args }: RenderableCall): string {
  checkSpelling('pythonic', name, NAME);
  const members = Object.entries(args).map(([key, value]) => {
    checkSpelling('pythonic', key, KEY);
    return `${key}=${keptDigits(args, key) ?? literal(value)}`;
  });
  return `${name}(${members.join(', ')})`;
}

/** A value in Python. Strings are those of JSON, all of whose escapes Python has too. */
function literal(value: JsonValue): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (isList(value))
    return `[${value.map((item, at) => keptDigits(value, String(at)) ?? literal(item)).join(', ')}]`;
  if (typeof value !== 'object') return JSON.stringify(value);
  const members = Object.entries(value).map(([key, member]) => {
    return `${JSON.stringify(key)}: ${keptDigits(value, key) ?? literal(member)}`;
  });
  return `{${members.join(', ')}}`;
}
