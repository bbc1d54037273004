import { isJsonObject } from '../../../parse/call-keys.ts';
import type { JsonObject } from '../../../types.ts';
import { adviseContent } from '../../advising/advise-content.ts';
import { tellAdvice } from '../../advising/tell-advice.ts';
import type { AnswerContext } from '../../reading/answer-reader.ts';
import type { MendOptions } from '../../reading/mend-options.ts';
import { listOf } from '../../wire/json-fields.ts';

/** The messages of a request, with advice on the result that calls for it. */
export function adviseChat(
  body: JsonObject,
  { tools }: AnswerContext,
  options: MendOptions,
): JsonObject {
  const messages = listOf(body['messages']);
  return tellAdvice(body, messages, tools, options, ({ messageIndex }, text) => {
    const message = messages[messageIndex];
    if (!isJsonObject(message) || message['role'] !== 'tool') return undefined;
    const content = adviseContent(message['content'], text, 'text');
    if (content === undefined) return undefined;
    return { ...body, messages: messages.with(messageIndex, { ...message, content }) };
  });
}
