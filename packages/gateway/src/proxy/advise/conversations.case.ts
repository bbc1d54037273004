import type { JsonObject, JsonValue } from '@holdfast/core';
import { chatConversation } from '../chat/chat-conversation.ts';
import type { ConversationEditor } from '../conversation-editor.ts';
import { objectOf } from '../json/json-fields.ts';
import { messagesConversation } from '../messages/messages-conversation.ts';
import { responsesConversation } from '../responses/responses-conversation.ts';

/** A call and what came of it, in no protocol yet. */
export interface Happening {
  readonly tool: string;
  readonly args: JsonObject;
  readonly output: JsonValue;
}

/** How a protocol writes a conversation, and where its results are. */
export interface Shape {
  readonly name: 'chat' | 'messages' | 'responses';
  readonly editor: ConversationEditor;
  /** A request whose conversation has these rounds of calls. */
  readonly write: (rounds: readonly (readonly Happening[])[]) => JsonObject;
  /** What the results hold, in order. */
  readonly contents: (body: JsonObject) => readonly (JsonValue | undefined)[];
}

const idOf = (round: number, at: number): string => `call_${round}_${at}`;
const ASK: JsonObject = { role: 'user', content: 'Read my notes.' };

const chat: Shape = {
  name: 'chat',
  editor: chatConversation,
  write: (rounds) => ({
    model: 'm',
    messages: [
      ASK,
      ...rounds.flatMap((calls, round) => [
        {
          role: 'assistant',
          content: null,
          tool_calls: calls.map(({ tool, args }, at) => ({
            id: idOf(round, at),
            type: 'function',
            function: { name: tool, arguments: JSON.stringify(args) },
          })),
        },
        ...calls.map(({ output }, at) => ({
          role: 'tool',
          tool_call_id: idOf(round, at),
          content: output,
        })),
      ]),
    ],
  }),
  contents: (body) =>
    chatConversation
      .messages(body)
      .map(objectOf)
      .filter(({ role }) => role === 'tool')
      .map(({ content }) => content),
};

const messages: Shape = {
  name: 'messages',
  editor: messagesConversation,
  write: (rounds) => ({
    model: 'm',
    max_tokens: 100,
    messages: [
      ASK,
      ...rounds.flatMap((calls, round) => [
        {
          role: 'assistant',
          content: calls.map(({ tool, args }, at) => ({
            type: 'tool_use',
            id: idOf(round, at),
            name: tool,
            input: args,
          })),
        },
        {
          role: 'user',
          content: calls.map(({ output }, at) => ({
            type: 'tool_result',
            tool_use_id: idOf(round, at),
            content: output,
          })),
        },
      ]),
    ],
  }),
  contents: (body) =>
    messagesConversation
      .messages(body)
      .map(objectOf)
      .flatMap(({ content }) => (Array.isArray(content) ? content.map(objectOf) : []))
      .filter(({ type }) => type === 'tool_result')
      .map(({ content }) => content),
};

const responses: Shape = {
  name: 'responses',
  editor: responsesConversation,
  write: (rounds) => ({
    model: 'm',
    input: [
      ASK,
      ...rounds.flatMap((calls, round) => [
        ...calls.map(({ tool, args }, at) => ({
          type: 'function_call',
          call_id: idOf(round, at),
          name: tool,
          arguments: JSON.stringify(args),
        })),
        ...calls.map(({ output }, at) => ({
          type: 'function_call_output',
          call_id: idOf(round, at),
          output,
        })),
      ]),
    ],
  }),
  contents: (body) =>
    responsesConversation
      .messages(body)
      .map(objectOf)
      .filter(({ type }) => type === 'function_call_output')
      .map(({ output }) => output),
};

/** The three protocols that clients speak. */
export const SHAPES: readonly Shape[] = [chat, messages, responses];

/** A call of a shell. */
export const bash = (command: string, output: JsonValue): Happening => ({
  tool: 'bash',
  args: { command },
  output,
});
