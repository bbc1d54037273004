import type { JsonObject, JsonValue } from '@holdfast/core';
import type { ConversationEditor, UnfitAnswer } from '../conversation-editor.ts';
import { addText } from '../json/add-text.ts';
import { isObject, listOf, textOf } from '../json/json-fields.ts';
import { mapListIn, mapTextsIn } from '../json/map-texts.ts';
import { callShapeOf } from './call-shape.ts';

/** The messages of a Chat Completions request. */
export const chatConversation: ConversationEditor = {
  messages: (body) => listOf(body['messages']),

  withMessages: (body, messages) => ({ ...body, messages }),

  mapResults: (body, map) =>
    mapListIn(body, 'messages', (message) => {
      const callId = textOf(message['tool_call_id']);
      return isResult(message) ? mapTextsIn(message, 'content', map(callId)) : message;
    }),

  addToResult(body, { messageIndex }, text) {
    const messages = listOf(body['messages']);
    const message = messages[messageIndex];
    if (!isObject(message) || !isResult(message)) return undefined;
    const content = addText(message['content'], text, 'text');
    if (content === undefined) return undefined;
    return { ...body, messages: messages.with(messageIndex, { ...message, content }) };
  },

  addNote: (body, text) => withMessages(body, [{ role: 'user', content: text }]),

  addUnfitAnswer: (body, answer) =>
    withMessages(
      body,
      callShapeOf(body) === 'tool_calls' ? turnOf(answer) : turnOfFunctions(answer),
    ),
};

function isResult({ role }: JsonObject): boolean {
  return role === 'tool' || role === 'function';
}

function withMessages(body: JsonObject, more: readonly JsonValue[]): JsonObject {
  return { ...body, messages: [...listOf(body['messages']), ...more] };
}

function turnOf({ text, calls, results }: UnfitAnswer): JsonObject[] {
  return [
    {
      role: 'assistant',
      // Never null, which older servers refuse.
      content: text,
      tool_calls: calls.map(({ id, name, json }) => ({
        id,
        type: 'function',
        function: { name, arguments: json },
      })),
    },
    ...calls.map(({ id }, at) => ({ role: 'tool', tool_call_id: id, content: results[at] ?? '' })),
  ];
}

/** A client that offers `functions` knows one call in a message, and results without ids. */
function turnOfFunctions({ text, calls, results }: UnfitAnswer): JsonObject[] {
  return calls.flatMap(({ name, json }, at) => [
    { role: 'assistant', content: at === 0 ? text : '', function_call: { name, arguments: json } },
    { role: 'function', name, content: results[at] ?? '' },
  ]);
}
