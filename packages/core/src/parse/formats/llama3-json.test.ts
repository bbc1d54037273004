import { describe, expect, test } from 'vitest';
import { describeFormat } from '../format-suite.case.ts';
import { parseToolCalls } from '../parse-tool-calls.ts';
import { llama3Json } from './llama3-json.ts';

const call = (name: string, args: unknown): string => JSON.stringify({ name, parameters: args });

describeFormat({
  parser: llama3Json,
  write: call,
  writeAll: (calls) => calls.map(([name, args]) => call(name, args)).join('; '),
  skips: {
    'missing-end': 'JSON without markers has no end marker',
    'cut-issue': 'JSON without markers is only a call once it is complete',
  },
  pieces: [
    '<|python_tag|>',
    '<|python_start|>',
    '<|python_end|>',
    '{"name": "f", "parameters": {}}',
    '; {"name": ',
    '<|python_tag|>{"name": "f", "parameters": {"a":',
    '```json\n{"name": "f", "parameters": {}}',
    '```',
    '<|eom_id|>',
    '<|pyth',
  ],
});

const READ = { name: 'read', arguments: { path: 'a.md' }, format: 'llama3-json' };
const BODY = call('read', { path: 'a.md' });
const tools = [
  { name: 'read', parameters: { type: 'object', properties: { path: { type: 'string' } } } },
  { name: 'now', parameters: { type: 'object', properties: {} } },
];

describe('llama3-json', () => {
  test.each([
    ['alone', BODY, ''],
    ['with arguments first', '{"parameters": {"path": "a.md"}, "name": "read"}', ''],
    ['in the other spelling', '{"name": "read", "arguments": {"path": "a.md"}}', ''],
    ['with a type', `{"type": "function", ${BODY.slice(1)}`, ''],
    ['inside a function', `{"type": "function", "function": ${BODY}}`, ''],
    ['behind its tag', `I look. <|python_tag|>${BODY}<|eom_id|>`, 'I look. '],
    ['between the tags for code', `<|python_start|>${BODY}<|python_end|>`, ''],
    ['in a sentence', `I look: ${BODY} Wait.`, 'I look:  Wait.'],
    ['in a fence', `So:\n\`\`\`json\n${BODY}\n\`\`\``, 'So:\n'],
  ])('reads a call %s', (_where, text, rest) => {
    const result = parseToolCalls(text);
    expect(result.calls).toMatchObject([{ ...READ, repairs: [] }]);
    expect(result.text).toBe(rest);
  });

  test('reads several calls with semicolons or tags between them', () => {
    for (const text of [
      `${BODY}; ${BODY}`,
      `<|python_tag|>${BODY};${BODY}`,
      `<|python_tag|>${BODY}<|python_tag|>${BODY}`,
    ]) {
      const result = parseToolCalls(text);
      expect(result.calls).toMatchObject([READ, READ]);
      expect(result.text).toBe('');
    }
  });

  test.each([
    ['data with a name', '{"name": "Ada", "born": 1815}'],
    ['a name alone', '{"name": "read"}'],
    ['other keys beside name and arguments', '{"name": "a", "parameters": {}, "steps": 3}'],
    ['part of other JSON', '{"jobs": [{"name": "a", "parameters": {}}]}'],
    ['the value of a key', '{"job": {"name": "a", "parameters": {}}}'],
    ['code', 'run({"name": "a", "parameters": {}})'],
    ['a quotation', 'Write `{"name": "a", "parameters": {}}` to call it.'],
    ['broken JSON', "{'name': 'a', 'parameters': {}}"],
    ['a cut call', '{"name": "a", "parameters": {"x": 1}'],
    [
      'a definition',
      '{"name": "a", "parameters": {"type": "object", "properties": {"x": {"type": "string"}}}}',
    ],
    ['a tag without JSON', 'The tag is <|python_tag|> and code follows.'],
  ])('leaves %s as text where no tools were named', (_what, text) => {
    expect(parseToolCalls(text)).toMatchObject({ calls: [], text, issues: [] });
  });

  test('reports a tag with JSON behind it that is no call', () => {
    expect(parseToolCalls('<|python_tag|>{"name": "a"}')).toMatchObject({
      calls: [],
      issues: [{ code: 'unreadable-call' }],
    });
  });

  test.each([
    ['broken JSON', "{'name': 'read', 'parameters': {'path': 'a.md'}}", ['single-quotes']],
    ['a missing last brace', BODY.slice(0, -1), ['missing-brace']],
    ['a name in another spelling', call('Read', { path: 'a.md' }), ['tool-name']],
    ['other keys of a call', '{"tool": "read", "args": {"path": "a.md"}}', []],
    ['part of other JSON', `{"action": ${BODY}}`, []],
  ])('reads %s where the tool was offered', (_what, text, repairs) => {
    expect(parseToolCalls(text, { tools }).calls).toMatchObject([{ ...READ, repairs }]);
  });

  test('reads a name alone where that tool takes nothing', () => {
    expect(parseToolCalls('{"name": "now"}', { tools }).calls).toMatchObject([
      { name: 'now', arguments: {} },
    ]);
    expect(parseToolCalls('{"name": "read"}', { tools }).calls).toEqual([]);
  });

  test('leaves what follows a call and is none as text', () => {
    const { calls, text } = parseToolCalls(`${BODY} {"a": 1}; {x}`);
    expect(calls).toMatchObject([READ]);
    expect(text).toBe(' {"a": 1}; {x}');
  });

  test('reads the call that a model began again', () => {
    const { calls } = parseToolCalls(`{"name": "read", "parameters": {${BODY}`, { tools });
    expect(calls).toMatchObject([READ]);
  });
});
