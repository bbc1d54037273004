import type { JsonObject, JsonValue } from '@holdfast/core';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chatConversation } from '../chat/chat-conversation.ts';
import type { UnfitAnswer } from '../conversation-editor.ts';
import { listOf } from '../json/json-fields.ts';
import { messagesConversation } from '../messages/messages-conversation.ts';
import { responsesConversation } from '../responses/responses-conversation.ts';
import { bash, SHAPES } from './conversations.case.ts';

const output: fc.Arbitrary<JsonValue> = fc.oneof(
  fc.string(),
  fc.constant(null),
  fc.array(
    fc.oneof(
      fc.string().map((text) => ({ type: 'text', text })),
      fc.constant({ type: 'image', source: { type: 'base64', data: 'AA==' } }),
    ),
    { maxLength: 3 },
  ),
);
const rounds = fc.array(fc.array(output, { minLength: 1, maxLength: 3 }), {
  minLength: 1,
  maxLength: 4,
});

describe.each(SHAPES)('a text behind a result of $name', ({ editor, write, contents }) => {
  test('changes that result, and nothing else', () => {
    fc.assert(
      fc.property(rounds, fc.nat(), (script, nth) => {
        const body = write(script.map((outputs) => outputs.map((said) => bash('x', said))));
        const before = structuredClone(body);
        const places = script.flatMap((outputs, round) =>
          outputs.map((_, at) => ({ callId: `call_${round}_${at}`, at })),
        );
        const chosen = nth % places.length;
        const { callId } = places[chosen]!;
        const messages = editor.messages(body);
        const messageIndex = messages.findLastIndex((one) => JSON.stringify(one).includes(callId));
        const edited = editor.addToResult(body, { messageIndex, callId }, 'Look here.')!;

        expect(body).toEqual(before);
        editor.messages(edited).forEach((message, at) => {
          if (at !== messageIndex) expect(message).toBe(messages[at]);
        });
        const was = contents(body);
        contents(edited).forEach((content, at) => {
          if (at !== chosen) expect(content).toBe(was[at]);
          else expect(content).toEqual(withText(was[at], editor === responsesConversation));
        });
        const key = 'input' in body ? 'input' : 'messages';
        expect({ ...edited, [key]: 0 }).toEqual({ ...body, [key]: 0 });
      }),
    );
  });

  test('is not put where there is no such result', () => {
    const body = write([[bash('x', 'fine')]]);
    for (const messageIndex of [0, 1, 99])
      expect(editor.addToResult(body, { messageIndex, callId: 'call_0_0' }, 'x')).toBeUndefined();
    const odd = { ...body, messages: 'none', input: 7 };
    expect(editor.messages(odd)).toEqual([]);
    expect(editor.addToResult(odd, { messageIndex: 0, callId: undefined }, 'x')).toBeUndefined();
  });
});

function withText(content: JsonValue | undefined, isResponses: boolean): JsonValue {
  const text = 'Look here.';
  if (Array.isArray(content))
    return [...listOf(content), { type: isResponses ? 'input_text' : 'text', text }];
  return content === null || content === '' ? text : `${content as string}\n\n${text}`;
}

const first = { callId: undefined, messageIndex: 0 };

describe('results of their own kind', () => {
  test('of the older functions of chat take a text', () => {
    const body = { messages: [{ role: 'function', name: 'f', content: 'no' }] };
    expect(chatConversation.addToResult(body, first, 'Look.')).toEqual({
      messages: [{ role: 'function', name: 'f', content: 'no\n\nLook.' }],
    });
  });

  test('of Messages keep their flag and their mark for the cache', () => {
    const result = {
      type: 'tool_result',
      tool_use_id: 'a',
      is_error: true,
      cache_control: { type: 'ephemeral' },
    };
    const body = {
      messages: [{ role: 'user', content: [result, { type: 'text', text: 'And?' }] }],
    };
    expect(messagesConversation.addToResult(body, { ...first, callId: 'a' }, 'Look.')).toEqual({
      messages: [
        {
          role: 'user',
          content: [
            { ...result, content: 'Look.' },
            { type: 'text', text: 'And?' },
          ],
        },
      ],
    });
  });

  test.each([
    [
      messagesConversation,
      {
        messages: [
          {
            role: 'assistant',
            content: [{ type: 'web_search_tool_result', tool_use_id: 'a', content: [] }],
          },
        ],
      },
    ],
    [responsesConversation, { input: [{ type: 'mcp_call', id: 'a', name: 'f', output: 'no' }] }],
    [
      responsesConversation,
      {
        input: [{ type: 'shell_call_output', call_id: 'a', output: [{ stdout: 'x', stderr: '' }] }],
      },
    ],
    [
      responsesConversation,
      {
        input: [
          { type: 'computer_call_output', call_id: 'a', output: { type: 'computer_screenshot' } },
        ],
      },
    ],
  ])('that take no text are left alone', (editor, body) => {
    expect(editor.addToResult(body, { ...first, callId: 'a' }, 'Look.')).toBeUndefined();
  });
});

describe('a note', () => {
  test('stands behind the results of the last message of the user', () => {
    const system = { role: 'system', content: 'Be brief.' };
    const result = { type: 'tool_result', tool_use_id: 'a', content: 'no' };
    const body = { messages: [{ role: 'user', content: [result] }, system] };
    expect(messagesConversation.addNote(body, 'Look.')).toEqual({
      messages: [{ role: 'user', content: [result, { type: 'text', text: 'Look.' }] }, system],
    });
  });

  test('does not come between what the model has begun and what it goes on with', () => {
    const body = {
      messages: [
        { role: 'user', content: 'Go.' },
        { role: 'assistant', content: 'I' },
      ],
    };
    expect(messagesConversation.addNote(body, 'Look.')).toBeUndefined();
  });
});

const answer = (name: string, args: JsonObject): UnfitAnswer => ({
  text: 'Let me see.',
  calls: [
    {
      index: 0,
      id: 'c1',
      name,
      arguments: args,
      json: JSON.stringify(args),
      format: 'native',
      repairs: [],
    },
  ],
  results: ['Not run.'],
});

describe('a turn that was not taken', () => {
  test('is a message with calls and their results in chat', () => {
    const body = { messages: [{ role: 'user', content: 'Go.' }], tools: [{}] };
    expect(chatConversation.addUnfitAnswer(body, answer('read', {}))).toEqual({
      tools: [{}],
      messages: [
        { role: 'user', content: 'Go.' },
        {
          role: 'assistant',
          content: 'Let me see.',
          tool_calls: [{ id: 'c1', type: 'function', function: { name: 'read', arguments: '{}' } }],
        },
        { role: 'tool', tool_call_id: 'c1', content: 'Not run.' },
      ],
    });
  });

  test('is a function call where the client offers functions', () => {
    const body = { messages: [], functions: [{ name: 'read' }] };
    expect(chatConversation.addUnfitAnswer(body, answer('read', {}))['messages']).toEqual([
      {
        role: 'assistant',
        content: 'Let me see.',
        function_call: { name: 'read', arguments: '{}' },
      },
      { role: 'function', name: 'read', content: 'Not run.' },
    ]);
  });

  test('is blocks in Messages, none of them blank', () => {
    const body = { messages: [{ role: 'user', content: 'Go.' }] };
    const blank = { ...answer('read', { a: 1 }), text: '\n' };
    expect(messagesConversation.addUnfitAnswer(body, blank)['messages']).toEqual([
      { role: 'user', content: 'Go.' },
      {
        role: 'assistant',
        content: [{ type: 'tool_use', id: 'c1', name: 'read', input: { a: 1 } }],
      },
      {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: 'c1', content: 'Not run.', is_error: true }],
      },
    ]);
    const [, said] = messagesConversation.addUnfitAnswer(body, answer('read', {}))[
      'messages'
    ] as JsonObject[];
    expect(said).toMatchObject({
      content: [{ type: 'text', text: 'Let me see.' }, { type: 'tool_use' }],
    });
  });

  const tools = [
    { type: 'function', name: 'read', parameters: {} },
    { type: 'custom', name: 'patch' },
    { type: 'namespace', name: 'team', tools: [{ type: 'function', name: 'ask', parameters: {} }] },
  ];
  const said = {
    type: 'message',
    role: 'assistant',
    content: [{ type: 'output_text', text: 'Let me see.', annotations: [] }],
  };
  const asked = { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Go.' }] };

  test.each([
    [
      'read',
      { a: 1 },
      { type: 'function_call', call_id: 'c1', name: 'read', arguments: '{"a":1}' },
      'function_call_output',
    ],
    [
      'team__ask',
      {},
      { type: 'function_call', call_id: 'c1', namespace: 'team', name: 'ask', arguments: '{}' },
      'function_call_output',
    ],
    [
      'patch',
      { input: '*** Begin' },
      { type: 'custom_tool_call', call_id: 'c1', name: 'patch', input: '*** Begin' },
      'custom_tool_call_output',
    ],
    [
      'patch',
      { text: 'x' },
      { type: 'custom_tool_call', call_id: 'c1', name: 'patch', input: '{"text":"x"}' },
      'custom_tool_call_output',
    ],
    [
      'other',
      {},
      { type: 'function_call', call_id: 'c1', name: 'other', arguments: '{}' },
      'function_call_output',
    ],
  ])(
    'is items in Responses, under the name that the client knows: %s',
    (name, args, item, type) => {
      const body = { input: 'Go.', tools };
      expect(responsesConversation.addUnfitAnswer(body, answer(name, args))['input']).toEqual([
        asked,
        said,
        item,
        { type, call_id: 'c1', output: 'Not run.' },
      ]);
    },
  );
});
