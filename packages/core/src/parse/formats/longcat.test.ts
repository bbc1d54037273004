import { describe, expect, test } from 'vitest';
import { describeFormat } from '../format-suite.case.ts';
import { parseToolCalls } from '../parse-tool-calls.ts';
import { longcat } from './longcat.ts';

const call = (name: string, args: unknown): string =>
  `<longcat_tool_call>${JSON.stringify({ name, arguments: args })}</longcat_tool_call>`;

describeFormat({
  parser: longcat,
  write: call,
  endMarker: '</longcat_tool_call>',
  pieces: [
    '<longcat_tool_call>',
    '</longcat_tool_call>',
    '<longcat_tool_call>{',
    '<longcat_tool_call>{"name": "f", "arguments": {"a":',
    '<longcat_too',
  ],
});

describe('longcat', () => {
  test('separates what it thinks', () => {
    const { calls, reasoning, text } = parseToolCalls(
      `<longcat_think>I look.</longcat_think>Wait.${call('a', {})}`,
    );
    expect(calls).toMatchObject([{ name: 'a', format: 'longcat' }]);
    expect([reasoning, text]).toEqual(['I look.', 'Wait.']);
  });

  test('leaves arguments that are no object as text', () => {
    const text = '<longcat_tool_call>{"name": "a", "arguments": "none"}</longcat_tool_call>';
    expect(parseToolCalls(text)).toMatchObject({
      calls: [],
      text,
      issues: [{ code: 'unreadable-call' }],
    });
  });
});
