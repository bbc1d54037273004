import { isJsonObject } from '../../../parse/call-keys.ts';
import type { JsonObject, JsonValue } from '../../../types.ts';
import type { AnswerContext } from '../../reading/answer-reader.ts';
import type { MendOptions } from '../../reading/mend-options.ts';
import { listOf, objectOf, textOf } from '../../wire/json-fields.ts';
import { ChatChoice } from './chat-choice.ts';

/** A whole answer, read as the one delta of a stream; the very same where nothing is wrong with it. */
export function mendChatAnswer(
  answer: JsonObject,
  context: AnswerContext,
  options: MendOptions,
): JsonObject {
  const choices = listOf(answer['choices']);
  const mended = choices.map((choice) => mendChoice(choice, context, options));
  const isSame = mended.every((choice, at) => choice === choices[at]);
  return isSame ? answer : { ...answer, choices: mended };
}

function mendChoice(said: JsonValue, context: AnswerContext, options: MendOptions): JsonValue {
  if (!isJsonObject(said) || !isJsonObject(said['message'])) return said;
  const { message, finish_reason: reason } = said;
  const choice = new ChatChoice(context, options);
  if (textOf(reason) !== '') choice.word = textOf(reason);
  const first = choice.read(message);
  const { deltas, word } = choice.finish();
  const isSame = deltas.length === 0 && first.length === 1 && first[0] === message;
  if (isSame && word === reason) return said;
  const told = isSame ? message : joined(message, [...first, ...deltas]);
  return { ...said, message: told, finish_reason: word };
}

/** The message that a client would put together from the deltas. */
function joined(message: JsonObject, deltas: readonly JsonObject[]): JsonObject {
  const { content: _content, tool_calls: _calls, ...others } = message;
  const texts = deltas.map((delta) => textOf(delta['content'])).join('');
  const calls = deltas.flatMap((delta) => listOf(delta['tool_calls']).map(withoutIndex));
  const thoughts = deltas.map((delta) => textOf(delta['reasoning_content'])).join('');
  return {
    ...others,
    content: texts === '' && calls.length > 0 ? null : texts,
    ...(thoughts !== '' && { reasoning_content: thoughts }),
    ...(calls.length > 0 && { tool_calls: calls }),
  };
}

function withoutIndex(call: JsonValue): JsonObject {
  const { index: _index, ...others } = objectOf(call);
  return others;
}
