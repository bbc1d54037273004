import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ConversationStep } from './conversation-step.ts';
import { readMessage } from './read-message.ts';

const call = (tool: string, args: unknown, id: string | undefined = 'c1'): unknown => ({
  type: 'call',
  id,
  tool,
  arguments: args,
});
const result = (output: string, rest: object = {}): unknown => ({
  type: 'result',
  id: 'c1',
  tool: undefined,
  output,
  isError: undefined,
  exitCode: undefined,
  ...rest,
});
const user = { type: 'user' };
const text = { type: 'text' };

const openaiChat: [string, unknown, unknown[]][] = [
  ['what the user says', { role: 'user', content: 'hello' }, [user]],
  [
    'parts of what the user says',
    { role: 'user', content: [{ type: 'text', text: 'hi' }] },
    [user],
  ],
  ['a picture', { role: 'user', content: [{ type: 'image_url', image_url: {} }] }, [user]],
  ['what the model says', { role: 'assistant', content: 'hello' }, [text]],
  ['what the system says', { role: 'developer', content: 'be brief' }, []],
  [
    'calls, with and without words',
    {
      role: 'assistant',
      content: null,
      tool_calls: [
        { id: 'c1', type: 'function', function: { name: 'ls', arguments: '{"path": "."}' } },
        { id: 'c2', type: 'custom', custom: { name: 'py', input: 'print(1)' } },
      ],
    },
    [call('ls', { path: '.' }), call('py', { input: 'print(1)' }, 'c2')],
  ],
  [
    'a call whose arguments are no JSON',
    { role: 'assistant', tool_calls: [{ id: 'c1', function: { name: 'ls', arguments: '{"pa' } }] },
    [call('ls', { input: '{"pa' })],
  ],
  [
    'a call without arguments',
    { role: 'assistant', tool_calls: [{ id: 'c1', function: { name: 'ls', arguments: '' } }] },
    [call('ls', {})],
  ],
  ['a result', { role: 'tool', tool_call_id: 'c1', content: 'a\nb' }, [result('a\nb')]],
  [
    'a result in parts',
    {
      role: 'tool',
      tool_call_id: 'c1',
      name: 'ls',
      content: [{ type: 'text', text: 'a' }, { text: 'b' }],
    },
    [result('a\nb', { tool: 'ls' })],
  ],
  [
    'a result that is an object',
    { role: 'tool', tool_call_id: 'c1', content: { ok: false } },
    [result('{"ok":false}')],
  ],
  [
    'the call of old',
    { role: 'assistant', content: null, function_call: { name: 'ls', arguments: '{}' } },
    [{ ...(call('ls', {}) as object), id: undefined }],
  ],
  [
    'the result of old',
    { role: 'function', name: 'ls', content: 'a' },
    [result('a', { id: undefined, tool: 'ls' })],
  ],
];

const responses: [string, unknown, unknown[]][] = [
  [
    'a message',
    { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'hi' }] },
    [user],
  ],
  [
    'an answer',
    { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'hi' }] },
    [text],
  ],
  ['reasoning', { type: 'reasoning', summary: [] }, []],
  [
    'a call',
    { type: 'function_call', call_id: 'c1', id: 'fc_1', name: 'ls', arguments: '{"path":"."}' },
    [call('ls', { path: '.' })],
  ],
  ['a result', { type: 'function_call_output', call_id: 'c1', output: 'a' }, [result('a')]],
  [
    'a result in parts',
    { type: 'function_call_output', call_id: 'c1', output: [{ type: 'input_text', text: 'a' }] },
    [result('a')],
  ],
  [
    'a call of a custom tool',
    { type: 'custom_tool_call', call_id: 'c1', name: 'py', input: 'print(1)' },
    [call('py', { input: 'print(1)' })],
  ],
  [
    'a call of the shell',
    { type: 'shell_call', call_id: 'c1', action: { commands: ['ls'] } },
    [call('shell', { commands: ['ls'] })],
  ],
  [
    'what the shell gave',
    {
      type: 'shell_call_output',
      call_id: 'c1',
      output: [{ stdout: 'a', stderr: 'b', outcome: { type: 'exit', exit_code: 2 } }],
    },
    [result('a\nb', { exitCode: 2 })],
  ],
  [
    'a patch that did not apply',
    { type: 'apply_patch_call_output', call_id: 'c1', status: 'failed', output: 'no match' },
    [result('no match', { isError: true })],
  ],
  [
    'a call of a remote server, with its error',
    { type: 'mcp_call', id: 'c1', name: 'ls', arguments: '{}', error: { message: 'gone' } },
    [call('ls', {}), result('gone', { tool: 'ls', isError: true })],
  ],
  [
    'a call of a remote server, with its result',
    { type: 'mcp_call', id: 'c1', name: 'ls', arguments: '{}', output: 'a', error: null },
    [call('ls', {}), result('a', { tool: 'ls', isError: false })],
  ],
  ['a search the provider makes', { type: 'web_search_call', id: 'ws_1', status: 'completed' }, []],
];

const anthropic: [string, unknown, unknown[]][] = [
  [
    'a call behind words',
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'hm' },
        { type: 'text', text: 'I look.' },
        { type: 'tool_use', id: 'c1', name: 'ls', input: { path: '.' } },
      ],
    },
    [text, call('ls', { path: '.' })],
  ],
  [
    'a result',
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: 'a' }] },
    [result('a')],
  ],
  [
    'a result that is an error, in blocks',
    {
      role: 'user',
      content: [
        {
          type: 'tool_result',
          tool_use_id: 'c1',
          is_error: true,
          content: [{ type: 'text', text: 'a' }],
        },
      ],
    },
    [result('a', { isError: true })],
  ],
  [
    'a result with nothing in it',
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', is_error: false }] },
    [result('', { isError: false })],
  ],
  [
    'a search of its own that failed, and words',
    {
      role: 'assistant',
      content: [
        { type: 'server_tool_use', id: 'c1', name: 'web_search', input: { query: 'x' } },
        {
          type: 'web_search_tool_result',
          tool_use_id: 'c1',
          content: { type: 'web_search_tool_result_error', error_code: 'unavailable' },
        },
        { type: 'text', text: 'No luck.' },
      ],
    },
    [
      call('web_search', { query: 'x' }),
      result('{"type":"web_search_tool_result_error","error_code":"unavailable"}', {
        isError: true,
      }),
      text,
    ],
  ],
  [
    'a result, and what the user says to it',
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'c1', content: 'a' },
        { type: 'text', text: 'stop' },
      ],
    },
    [result('a'), user],
  ],
  [
    'a result, and what the host and we have put beside it',
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'c1', content: 'a' },
        { type: 'text', text: '<system-reminder>be brief</system-reminder>' },
        { type: 'text', text: '⚠️ Tool guidance: look elsewhere' },
      ],
    },
    [result('a')],
  ],
];

describe('a message', () => {
  test.each(openaiChat)('of an OpenAI chat: %s', (_, message, steps) => {
    expect(readMessage(message)).toEqual(steps);
  });

  test.each(responses)('of OpenAI Responses: %s', (_, item, steps) => {
    expect(readMessage(item)).toEqual(steps);
  });

  test.each(anthropic)('of Anthropic: %s', (_, message, steps) => {
    expect(readMessage(message)).toEqual(steps);
  });

  test.each([
    [undefined],
    [null],
    ['text'],
    [[]],
    [{}],
    [{ role: 'assistant', tool_calls: 'none' }],
    [{ role: 'assistant', tool_calls: [null, {}, { function: null }, { function: { name: 7 } }] }],
    [{ role: 'assistant', content: [null, 7, { type: 'tool_use' }] }],
    [{ role: 'user', content: '' }],
    [{ type: 'function_call' }],
    [{ type: 'mcp_call' }],
  ])('without a shape says nothing: %j', (message) => {
    expect(readMessage(message)).toEqual([]);
  });

  test('of any shape is read without a throw', () => {
    const word = fc.constantFrom(
      'role type content tool_calls function name arguments id call_id output input tool_use_id is_error'.split(
        ' ',
      ),
      'user assistant tool function_call function_call_output mcp_call tool_use tool_result text'.split(
        ' ',
      ),
    );
    const key = word.chain((words) => fc.constantFrom(...words));
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 5 },
        key,
        fc.jsonValue({ maxDepth: 1 }),
        fc.array(tie('value'), { maxLength: 4 }),
        fc.dictionary(key, tie('value'), { maxKeys: 5 }),
      ),
    }));
    const types: readonly ConversationStep['type'][] = ['call', 'result', 'text', 'user'];
    fc.assert(
      fc.property(value, (message) => {
        for (const step of readMessage(message)) expect(types).toContain(step.type);
      }),
    );
  });
});
