import { isEqualJson } from '../../internal/schema-equal.ts';
import { isJsonObject } from '../../parse/call-keys.ts';
import type { JsonObject, JsonValue } from '../../types.ts';
import type { AnswerContext } from '../reading/answer-reader.ts';
import type { MendOptions } from '../reading/mend-options.ts';
import { countOf, jsonTextOf, listOf, objectOf, readObject, textOf } from '../wire/json-fields.ts';
import { wireEvent } from '../wire/wire-event.ts';
import { MessagesEventMender } from './messages-event-mender.ts';

/**
 * A whole message, read as the events of a stream and put together again, so that both say the same; the very
 * same where nothing is wrong with it.
 */
export function mendMessage(
  message: JsonObject,
  context: AnswerContext,
  options: MendOptions,
): JsonObject {
  // What is no message, such as what a proxy says, passes as it is.
  if (!Array.isArray(message['content'])) return message;
  const said = listOf(message['content']);
  const mender = new MessagesEventMender(context, options);
  const content: Record<string, JsonValue>[] = [];
  let reason = message['stop_reason'];
  for (const event of eventsOf(said, reason))
    for (const { body = {} } of mender.read(wireEvent(event))) {
      if (body['type'] === 'message_delta') reason = objectOf(body['delta'])['stop_reason'];
      else put(content, body);
    }
  const isSame = reason === message['stop_reason'] && isEqualJson(content, said);
  return isSame ? message : { ...message, content, stop_reason: reason ?? null };
}

function* eventsOf(
  blocks: readonly JsonValue[],
  reason: JsonValue | undefined,
): Generator<JsonObject> {
  for (const [index, block] of blocks.entries()) {
    if (!isJsonObject(block)) continue;
    yield { type: 'content_block_start', index, content_block: opening(block) };
    // What is cited is no call, and the citations belong to the text as it is.
    const { type, text, input } = block;
    if (type === 'text' && !isCited(block))
      yield {
        type: 'content_block_delta',
        index,
        delta: { type: 'text_delta', text: textOf(text) },
      };
    if (type === 'tool_use') {
      const delta = { type: 'input_json_delta', partial_json: jsonTextOf(input) };
      yield { type: 'content_block_delta', index, delta };
    }
    yield { type: 'content_block_stop', index };
  }
  yield { type: 'message_delta', delta: { stop_reason: reason ?? null } };
}

function opening(block: JsonObject): JsonObject {
  if (block['type'] === 'text')
    return isCited(block) ? { ...block, type: CITED } : { ...block, text: '' };
  return block['type'] === 'tool_use' ? { ...block, input: {} } : block;
}

/** A name of our own for a text that passes as it is. */
const CITED = 'cited text';

function isCited({ citations }: JsonObject): boolean {
  return listOf(citations).length > 0;
}

/** Adds what an event tells to the content, as clients do. */
function put(content: Record<string, JsonValue>[], event: JsonObject): void {
  const index = countOf(event['index']) ?? content.length;
  if (event['type'] === 'content_block_start') {
    const block = { ...objectOf(event['content_block']) };
    if (block['type'] === CITED) block['type'] = 'text';
    content[index] = block;
    return;
  }
  const block = content[index];
  const { type, text, thinking, partial_json: json } = objectOf(event['delta']);
  if (block === undefined) return;
  if (type === 'text_delta') block['text'] = textOf(block['text']) + textOf(text);
  else if (type === 'thinking_delta')
    block['thinking'] = textOf(block['thinking']) + textOf(thinking);
  else if (type === 'input_json_delta') block['input'] = readObject(textOf(json)) ?? {};
}
