import type { JsonObject, JsonValue } from '@holdfast/core';
import type { ConversationEditor, UnfitAnswer } from '../conversation-editor.ts';
import { addText } from '../json/add-text.ts';
import { isObject, listOf, textOf } from '../json/json-fields.ts';
import { mapListIn, mapTextsIn } from '../json/map-texts.ts';
import { blocksOf } from './blocks-of.ts';

/** The messages of a Messages request. */
export const messagesConversation: ConversationEditor = {
  messages: (body) => listOf(body['messages']),

  withMessages: (body, messages) => ({ ...body, messages }),

  mapResults: (body, map) =>
    mapListIn(body, 'messages', (message) =>
      mapListIn(message, 'content', (block) => {
        const callId = textOf(block['tool_use_id']);
        return isResultOf(block, undefined) ? mapTextsIn(block, 'content', map(callId)) : block;
      }),
    ),

  addToResult(body, { messageIndex, callId }, text) {
    const messages = listOf(body['messages']);
    const message = messages[messageIndex];
    if (!isObject(message)) return undefined;
    const blocks = listOf(message['content']);
    const at = blocks.findLastIndex((block) => isResultOf(block, callId));
    const result = blocks[at];
    if (!isObject(result)) return undefined;
    const content = addText(result['content'], text, 'text');
    if (content === undefined) return undefined;
    const edited = { ...message, content: blocks.with(at, { ...result, content }) };
    return { ...body, messages: messages.with(messageIndex, edited) };
  },

  addNote(body, text) {
    const messages = listOf(body['messages']);
    // Claude Code writes messages of the system behind the results, too.
    const at = messages.findLastIndex((message) => !isObject(message) || !isOfSystem(message));
    const message = messages[at];
    // What the model has begun to say it goes on with: nothing may come between.
    if (!isObject(message) || message['role'] !== 'user') return undefined;
    const content = [...blocksOf(message['content']), { type: 'text', text }];
    return { ...body, messages: messages.with(at, { ...message, content }) };
  },

  addUnfitAnswer: (body, answer) => ({
    ...body,
    messages: [...listOf(body['messages']), ...turnOf(answer)],
  }),
};

/** Only of the client's own results: what Anthropic's servers write as results takes no text. */
function isResultOf(block: JsonValue, callId: string | undefined): boolean {
  return (
    isObject(block) &&
    block['type'] === 'tool_result' &&
    (callId === undefined || block['tool_use_id'] === callId)
  );
}

function isOfSystem({ role }: JsonObject): boolean {
  return role === 'system' || role === 'developer';
}

function turnOf({ text, calls, results }: UnfitAnswer): JsonObject[] {
  return [
    {
      role: 'assistant',
      content: [
        // A block that shows nothing is refused.
        ...(text.trim() === '' ? [] : [{ type: 'text', text }]),
        ...calls.map(({ id, name, arguments: input }) => ({ type: 'tool_use', id, name, input })),
      ],
    },
    {
      role: 'user',
      content: calls.map(({ id }, at) => ({
        type: 'tool_result',
        tool_use_id: id,
        content: results[at] ?? '',
        is_error: true,
      })),
    },
  ];
}
