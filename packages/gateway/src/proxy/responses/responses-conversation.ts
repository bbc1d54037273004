import type { JsonObject, JsonValue } from '@holdfast/core';
import type { ConversationEditor, UnfitAnswer } from '../conversation-editor.ts';
import { addText } from '../json/add-text.ts';
import { isObject, listOf, textOf } from '../json/json-fields.ts';
import { mapListIn, mapTextsIn } from '../json/map-texts.ts';
import type { TurnCall } from '../turn/turn-event.ts';
import { requestTools } from './request-tools.ts';
import type { ResponseTool } from './response-tools.ts';

/** The input items of a Responses request. */
export const responsesConversation: ConversationEditor = {
  messages: (body) => listOf(body['input']),

  withMessages: (body, input) => ({ ...body, input }),

  mapResults: (body, map) =>
    mapListIn(body, 'input', (item) => {
      const callId = textOf(item['call_id'] ?? item['id']);
      return isResult(item) ? mapTextsIn(item, 'output', map(callId)) : item;
    }),

  addToResult(body, { messageIndex }, text) {
    const items = listOf(body['input']);
    const item = items[messageIndex];
    // A call that the provider made itself holds its own result, which only the provider may write.
    if (!isObject(item) || !isResult(item)) return undefined;
    const output = addText(item['output'], text, 'input_text');
    if (output === undefined) return undefined;
    return { ...body, input: items.with(messageIndex, { ...item, output }) };
  },

  addNote: (body, text) => withItems(body, [userMessage(text)]),

  addUnfitAnswer: (body, answer) => withItems(body, turnOf(answer, requestTools(body))),
};

function isResult({ type }: JsonObject): boolean {
  return textOf(type).endsWith('_call_output');
}

function withItems(body: JsonObject, more: readonly JsonValue[]): JsonObject {
  const { input } = body;
  // A text alone is what the user says.
  const items = typeof input === 'string' ? [userMessage(input)] : listOf(input);
  return { ...body, input: [...items, ...more] };
}

function userMessage(text: string): JsonObject {
  return { type: 'message', role: 'user', content: [{ type: 'input_text', text }] };
}

function turnOf(
  { text, calls, results }: UnfitAnswer,
  tools: readonly ResponseTool[],
): JsonObject[] {
  const said = { type: 'output_text', text, annotations: [] };
  return [
    ...(text.trim() === '' ? [] : [{ type: 'message', role: 'assistant', content: [said] }]),
    ...calls.map((call) => callItem(call, toolOf(call, tools))),
    ...calls.map((call, at) => ({
      type:
        toolOf(call, tools)?.kind === 'custom' ? 'custom_tool_call_output' : 'function_call_output',
      call_id: call.id,
      output: results[at] ?? '',
    })),
  ];
}

function toolOf({ name }: TurnCall, tools: readonly ResponseTool[]): ResponseTool | undefined {
  return tools.find(({ flatName }) => flatName === name);
}

/** The call under the name that the client gave its tool. */
function callItem({ id, name, arguments: args, json }: TurnCall, tool?: ResponseTool): JsonObject {
  const named = {
    call_id: id,
    name: tool?.name ?? name,
    ...(tool?.namespace !== undefined && { namespace: tool.namespace }),
  };
  if (tool?.kind !== 'custom') return { type: 'function_call', ...named, arguments: json };
  // What does not fit may have no text at all; then the model sees what it wrote.
  const { input } = args;
  return { type: 'custom_tool_call', ...named, input: typeof input === 'string' ? input : json };
}
