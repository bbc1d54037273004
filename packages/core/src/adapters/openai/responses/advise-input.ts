import { isJsonObject } from '../../../parse/call-keys.ts';
import type { JsonObject } from '../../../types.ts';
import { adviseContent } from '../../advising/advise-content.ts';
import { tellAdvice } from '../../advising/tell-advice.ts';
import type { AnswerContext } from '../../reading/answer-reader.ts';
import type { MendOptions } from '../../reading/mend-options.ts';
import { listOf } from '../../wire/json-fields.ts';

/** The input of a request, with advice on the result that calls for it. */
export function adviseInput(
  body: JsonObject,
  { tools }: AnswerContext,
  options: MendOptions,
): JsonObject {
  const items = listOf(body['input']);
  return tellAdvice(body, items, tools, options, ({ messageIndex }, text) => {
    const item = items[messageIndex];
    // A call that the provider made itself holds its own result, which only the provider may write.
    if (!isJsonObject(item) || item['type'] !== 'function_call_output') return undefined;
    const output = adviseContent(item['output'], text, 'input_text');
    if (output === undefined) return undefined;
    return { ...body, input: items.with(messageIndex, { ...item, output }) };
  });
}
