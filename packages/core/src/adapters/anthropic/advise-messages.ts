import { isJsonObject } from '../../parse/call-keys.ts';
import type { JsonObject, JsonValue } from '../../types.ts';
import { adviseContent } from '../advising/advise-content.ts';
import { tellAdvice } from '../advising/tell-advice.ts';
import type { AnswerContext } from '../reading/answer-reader.ts';
import type { MendOptions } from '../reading/mend-options.ts';
import { listOf } from '../wire/json-fields.ts';

/** The messages of a request, with advice on the result that calls for it. */
export function adviseMessages(
  body: JsonObject,
  { tools }: AnswerContext,
  options: MendOptions,
): JsonObject {
  const messages = listOf(body['messages']);
  return tellAdvice(body, messages, tools, options, ({ messageIndex, callId }, text) => {
    const message = messages[messageIndex];
    if (!isJsonObject(message)) return undefined;
    const blocks = listOf(message['content']);
    const at = blocks.findLastIndex((block) => isResultOf(block, callId));
    const result = blocks[at];
    const content = isJsonObject(result)
      ? adviseContent(result['content'], text, 'text')
      : undefined;
    if (!isJsonObject(result) || content === undefined) return undefined;
    const edited = { ...message, content: blocks.with(at, { ...result, content }) };
    return { ...body, messages: messages.with(messageIndex, edited) };
  });
}

/** Only of the program's own results: what Anthropic's servers write as results takes no text. */
function isResultOf(block: JsonValue, callId: string | undefined): boolean {
  if (!isJsonObject(block) || block['type'] !== 'tool_result') return false;
  return callId === undefined || block['tool_use_id'] === callId;
}
