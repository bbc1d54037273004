import { describe, expect, test } from 'vitest';
import { describeFormat } from '../format-suite.case.ts';
import { parseToolCalls } from '../parse-tool-calls.ts';
import { genericJson } from './generic-json.ts';

const call = (name: string, args: unknown): object => ({ name, arguments: args });

describeFormat({
  parser: genericJson,
  write: (name, args) => JSON.stringify({ tool_call: call(name, args) }),
  writeAll: (calls) =>
    JSON.stringify({ tool_calls: calls.map(([name, args]) => call(name, args)), content: '' }),
  skips: { 'missing-end': 'JSON without markers has no end marker' },
  pieces: [
    '{"tool_call":',
    '{"tool_calls": [',
    '{ "tool_call" : { "name" : "f", "arguments" : {"a":',
    '```json\n{"tool_call": ',
    '{"response": "x"}',
    '{',
  ],
});

describe('generic-json', () => {
  test('reads a fence around the object as part of the call', () => {
    const json = JSON.stringify({ tool_call: call('a', {}) }, null, 2);
    const { calls, text } = parseToolCalls(`So:\n\`\`\`json\n${json}\n\`\`\`\n`);
    expect(calls).toMatchObject([{ name: 'a', format: 'generic-json', repairs: [] }]);
    expect(text).toBe('So:\n\n');
  });

  test.each([
    ['an answer', '{"response": "Hello."}'],
    ['a name without arguments', '{"tool_call": {"name": "a"}}'],
  ])('leaves %s as text', (_what, text) => {
    expect(parseToolCalls(text)).toMatchObject({ calls: [], text });
  });
});
