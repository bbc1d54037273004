import { describe, expect, test } from 'vitest';
import { describeFormat } from '../format-suite.case.ts';
import { parseToolCalls } from '../parse-tool-calls.ts';
import { commandR } from './command-r.ts';

const call = (name: string, args: unknown): string =>
  JSON.stringify({ tool_name: name, parameters: args }, null, 4);
const block = (body: string): string => `Action:\n\`\`\`json\n[\n${body}\n]\n\`\`\``;

describeFormat({
  parser: commandR,
  write: (name, args) => block(call(name, args)),
  writeAll: (calls) => block(calls.map(([name, args]) => call(name, args)).join(',\n')),
  endMarker: '\n```',
  proseBefore: ['', 'Plan: I look.\n', 'a < b, {x} and [y]\n\n'],
  skips: { 'text-between': 'the word counts at the start of a line only' },
  pieces: [
    'Action:',
    '\nAction:\n```json\n',
    '\nAction: ```json\n[',
    '\nAction:\n```json\n[{"tool_name": "f", "parameters": {"a":',
    '```',
    'Action',
  ],
});

describe('command-r', () => {
  test('reads a fence on the same line, with or without a language', () => {
    for (const fence of ['```json', '```', '```json\n', '\n```']) {
      const { calls, text } = parseToolCalls(`Action: ${fence}\n[${call('a', {})}]\n\`\`\``);
      expect(calls).toMatchObject([{ name: 'a', format: 'command-r' }]);
      expect(text).toBe('');
    }
  });

  test.each([
    ['an action in words', 'Action: search the web'],
    ['a fence of code', 'Action:\n```python\nprint([1])\n```'],
  ])('leaves %s as text', (_what, text) => {
    expect(parseToolCalls(text)).toMatchObject({ calls: [], text });
  });
});
