import { describe, expect, test } from 'vitest';
import { describeFormat } from '../format-suite.case.ts';
import { createToolCallStream } from '../create-tool-call-stream.ts';
import { parseToolCalls } from '../parse-tool-calls.ts';
import { OpenAIToolParser } from './openai.ts';

describeFormat({
  parser: new OpenAIToolParser(),
  write: (name, args) =>
    JSON.stringify({
      tool_calls: [
        { id: 'c1', type: 'function', function: { name, arguments: JSON.stringify(args) } },
      ],
    }),
  skips: { 'missing-end': 'JSON without markers has no end marker' },
  pieces: [
    '{"tool_calls":[',
    '{"function_call":{',
    '{"type":"function",',
    '[{"type":"tool_use",',
    '```json\n{"id":',
    '{"tool_calls":"',
    '{',
    '[',
  ],
});

const ARGS = { path: 'a.md' };
const STRING = JSON.stringify(ARGS);
const READ = { name: 'read', arguments: ARGS, format: 'openai', repairs: [] };

describe('OpenAIToolParser', () => {
  test.each([
    [
      'tool_calls with arguments in a string',
      {
        tool_calls: [{ id: 'x', type: 'function', function: { name: 'read', arguments: STRING } }],
      },
    ],
    [
      'tool_calls with arguments as an object',
      { tool_calls: [{ type: 'function', function: { name: 'read', arguments: ARGS } }] },
    ],
    [
      'tool_calls without a type',
      { tool_calls: [{ function: { name: 'read', arguments: STRING } }] },
    ],
    [
      'a whole message',
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'x', function: { name: 'read', arguments: STRING } }],
      },
    ],
    ['the older function_call', { function_call: { name: 'read', arguments: STRING } }],
    [
      'a list of calls',
      [{ id: 'x', type: 'function', function: { name: 'read', arguments: STRING } }],
    ],
    ['a single call', { type: 'function', function: { name: 'read', arguments: ARGS } }],
    ['a tool_use block', { type: 'tool_use', id: 'x', name: 'read', input: ARGS }],
    [
      'a content list with text',
      [
        { type: 'text', text: 'I look.' },
        { type: 'tool_use', id: 'x', name: 'read', input: ARGS },
      ],
    ],
    [
      'a whole response',
      {
        id: 'r',
        object: 'chat.completion',
        choices: [
          {
            index: 0,
            message: {
              role: 'assistant',
              tool_calls: [{ function: { name: 'read', arguments: STRING } }],
            },
          },
        ],
      },
    ],
    [
      'a whole Anthropic message',
      {
        id: 'm',
        type: 'message',
        role: 'assistant',
        content: [{ type: 'tool_use', id: 'x', name: 'read', input: ARGS }],
      },
    ],
    ['a list of tool_use blocks', [{ type: 'tool_use', id: 'x', name: 'read', input: ARGS }]],
  ])('reads %s', (_what, value) => {
    for (const json of [JSON.stringify(value), JSON.stringify(value, null, 2)]) {
      for (const [before, after] of [
        ['', ''],
        ['Sure: ', ' Done.'],
        ['I do {this} and [that].\n', '\nThat {was} it.'],
      ]) {
        const result = parseToolCalls(`${before ?? ''}${json}${after ?? ''}`);
        expect(result.calls).toMatchObject([READ]);
        expect(result.text).toBe(`${before ?? ''}${after ?? ''}`);
      }
      const fenced = parseToolCalls(`Here:\n\`\`\`json\n${json}\n\`\`\`\nDone.`);
      expect(fenced.calls).toMatchObject([READ]);
      expect(fenced.text).toBe('Here:\n\nDone.');
    }
  });

  test('keeps the id the model wrote', () => {
    expect(
      parseToolCalls('{"type":"tool_use","id":"toolu_1","name":"f","input":{}}').calls[0]?.id,
    ).toBe('toolu_1');
    expect(
      parseToolCalls('{"tool_calls":[{"id":"call_9","function":{"name":"f","arguments":"{}"}}]}')
        .calls[0]?.id,
    ).toBe('call_9');
  });

  test('tells a call before it is whole, with an id that stands before its arguments', () => {
    const told: string[] = [];
    const stream = createToolCallStream({
      onEvent: (event) => told.push(event.type === 'call-start' ? event.id : event.type),
    });
    stream.feed('{"tool_calls": [{"id": "c7", "name": "f", "arguments": {"a": 1, "b": "xy');
    expect(told).toEqual(['c7', 'call-delta']);
    const late = '{"tool_calls": [{"name": "f", "arguments": {"a": 1}, "id": "c7"}]}';
    expect(parseToolCalls(late).calls[0]?.id).not.toBe('c7');
  });

  test('reads several calls of one message', () => {
    const call = (name: string): object => ({
      type: 'function',
      function: { name, arguments: '{}' },
    });
    const { calls } = parseToolCalls(
      JSON.stringify({ tool_calls: [call('a'), call('b'), call('c')] }),
    );
    expect(calls.map(({ name }) => name)).toEqual(['a', 'b', 'c']);
  });

  test('mends what is broken and says so', () => {
    const { calls } = parseToolCalls(
      "{'tool_calls': [{'type': 'function', 'function': {'name': 'f', 'arguments': {'a': True,}}},]}",
    );
    expect(calls).toMatchObject([
      {
        name: 'f',
        arguments: { a: true },
        repairs: ['single-quotes', 'python-literal', 'trailing-comma'],
      },
    ]);
  });

  test.each([
    ['other JSON', '{"name": "f", "version": {}}', []],
    ['a JSON Schema', '{"type": "object", "properties": {"a": {"type": "string"}}}', []],
    ['a tool definition', '{"type": "function", "function": {"name": "f", "parameters": {}}}', []],
    ['an empty list of calls', '{"tool_calls": []}', ['unreadable-call']],
    [
      'a cut message',
      '{"tool_calls": [{"function": {"name": "f", "arguments": {"a',
      ['incomplete-call'],
    ],
    ['a list of numbers', '[1, 2, 3]', []],
    ['code', 'if (x) { type: "function" } else [ ]', []],
    ['a fence of code', '```js\n{ let x = 1; }\n```', []],
  ])('leaves %s as text', (_what, text, codes) => {
    const result = parseToolCalls(text);
    expect(result.calls).toEqual([]);
    expect(result.text).toBe(text);
    expect(result.issues.map(({ code }) => code)).toEqual(codes);
  });
});
