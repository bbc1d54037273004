import type { ToolDefinition } from '@holdfast/core';
import { describe, expect, test } from 'vitest';
import { maskCalls } from './mask-calls.ts';
import { maskConversation } from './mask-conversation.ts';
import { maskValuesOf } from './mask-words.ts';

const TOOLS: readonly ToolDefinition[] = [
  {
    name: 'read_file',
    parameters: {
      type: 'object',
      properties: { path: { type: 'string' }, options: { properties: { deep: {} } } },
    },
  },
];

describe('the text of a model is shown without the values in its calls:', () => {
  test.each([
    [
      'I look. <tool_call>{"name": "read_file", "arguments": {"path": "src/my secret.ts",}}</tool_call> Done.',
      'I look. <tool_call>{"name": "read_file", "arguments": {"path": "***",}}</tool_call> Done.',
    ],
    [
      '<function=read_file><parameter=path>\nsrc/a.ts\nsecond\n</parameter></function>',
      '<function=read_file><parameter=path>\n***\n</parameter></function>',
    ],
    [
      '{"name": "read_file", "arguments": {"path": "a b", "options": {"deep": 12}}}',
      '{"name": "read_file", "arguments": {"path": "***", "options": {"deep": ***}}}',
    ],
    // A tool that nobody offered, and a key that nobody knows: rather too much than too little.
    [
      '<tool_call>{"name": "login", "arguments": {"password": "x"}}</tool_call>',
      '<tool_call>{"name": "***", "arguments": {"***": "***"}}</tool_call>',
    ],
    // Cut in the middle.
    [
      'So: <tool_call>{"name": "read_file", "arguments": {"path": "src/my sec',
      'So: <tool_call>{"name": "read_file", "arguments": {"path": "***',
    ],
    ['There is no call in this, "quoted" or not.', 'There is no call in this, "quoted" or not.'],
    ['', ''],
  ])('%j', (text, masked) => {
    expect(maskCalls(text, TOOLS)).toBe(masked);
  });

  test('what could not be read is masked too', () => {
    const text = 'Hm. <tool_call>read_file(path: very secret)</tool_call>';
    const masked = maskCalls(text, TOOLS);
    expect(masked).toMatch(/^Hm\. /);
    expect(masked).not.toContain('secret');
  });
});

test('values are hidden by their names, whatever they are', () => {
  const value = { path: 'a', deep: { list: [1, 'b', null, true] } };
  expect(maskValuesOf(value)).toEqual({
    path: '***',
    deep: { list: ['***', '***', null, '***'] },
  });
});

describe('a conversation is shown without calls and results:', () => {
  test('Chat Completions', () => {
    const call = {
      id: 'c1',
      type: 'function',
      function: { name: 'x', arguments: '{"a":"CANARY"}' },
    };
    const masked = maskConversation({
      model: 'm',
      messages: [
        { role: 'user', content: 'Please look.' },
        { role: 'assistant', content: null, tool_calls: [call] },
        { role: 'tool', tool_call_id: 'c1', content: 'CANARY' },
      ],
    });
    expect(JSON.stringify(masked)).not.toContain('CANARY');
    expect(masked).toMatchObject({
      messages: [{ content: 'Please look.' }, {}, { content: '***' }],
    });
  });

  test('Anthropic Messages', () => {
    const masked = maskConversation({
      messages: [
        { role: 'assistant', content: [{ type: 'tool_use', name: 'x', input: { a: 'CANARY' } }] },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'c', content: [{ type: 'text', text: 'CANARY' }] },
            { type: 'text', text: 'Go on.' },
          ],
        },
      ],
    });
    expect(JSON.stringify(masked)).not.toContain('CANARY');
    expect(JSON.stringify(masked)).toContain('Go on.');
  });

  test('OpenAI Responses', () => {
    const masked = maskConversation({
      input: [
        { type: 'message', role: 'user', content: 'Hello.' },
        { type: 'function_call', name: 'x', arguments: 'CANARY', call_id: 'c' },
        { type: 'function_call_output', call_id: 'c', output: 'CANARY' },
        { type: 'custom_tool_call', name: 'y', input: 'CANARY', call_id: 'd' },
        { type: 'custom_tool_call_output', call_id: 'd', output: [{ text: 'CANARY' }] },
      ],
    });
    expect(JSON.stringify(masked)).not.toContain('CANARY');
    expect(JSON.stringify(masked)).toContain('Hello.');
  });
});
