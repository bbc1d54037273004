import { describe, expect, test } from 'vitest';
import { describeFormat } from '../format-suite.case.ts';
import { parseToolCalls } from '../parse-tool-calls.ts';
import { toolCallsTag } from './tool-calls-tag.ts';

const call = (name: string, args: unknown): string => JSON.stringify({ name, arguments: args });
const inTag = (body: string): string => `<tool_calls>${body}</tool_calls>`;

describeFormat({
  parser: toolCallsTag,
  write: (name, args) => inTag(`[${call(name, args)}]`),
  writeAll: (calls) => inTag(`\n${calls.map(([name, args]) => call(name, args)).join('\n')}\n`),
  endMarker: '</tool_calls>',
  pieces: [
    '<tool_calls>',
    '</tool_calls>',
    '<tool_calls>[',
    '<tool_calls>\n{"name": "f", "arguments": {}}\n{bad}\n',
    '<tool_calls>[{"name": "f", "arguments": {"a":',
    '<tool_cal',
    '[BEGIN FINAL RESPONSE]',
  ],
});

describe('tool-calls-tag', () => {
  test.each([
    ['a line that is no JSON', `{what is this}\n${call('b', {})}`],
    ['a line without arguments', `{"name": "x"}\n${call('b', {})}`],
    ['a line without a name', `{"arguments": {}}\n${call('b', {})}`],
  ])('reads the other calls beside %s', (_what, rest) => {
    const { calls, text } = parseToolCalls(inTag(`\n${call('a', { n: 1 })}\n${rest}\n`));
    expect(calls).toMatchObject([
      { name: 'a', arguments: { n: 1 }, repairs: ['surrounding-text'] },
      { name: 'b', arguments: {}, repairs: ['surrounding-text'] },
    ]);
    expect(text).toBe('');
  });

  test('reads the other calls of a list with one that is broken', () => {
    const { calls } = parseToolCalls(
      inTag(`[{"name": "a", "arguments": {oops}}, ${call('b', { n: 2 })}]`),
    );
    expect(calls).toMatchObject([{ name: 'b', arguments: { n: 2 } }]);
  });

  test('separates what Apriel thinks', () => {
    const { calls, reasoning } = parseToolCalls(
      `Here are my reasoning steps:\nI look.\n[BEGIN FINAL RESPONSE]\n${inTag(`[${call('a', {})}]`)}`,
    );
    expect(calls).toMatchObject([{ name: 'a' }]);
    expect(reasoning).toBe('\nI look.\n');
  });

  test.each([
    ['tags inside', '<tool_calls><note>x</note></tool_calls>'],
    ['an empty list', '<tool_calls>[]</tool_calls>'],
    ['nothing that can be read', '<tool_calls>[{no}, {call}]</tool_calls>'],
  ])('leaves %s as text', (_what, text) => {
    expect(parseToolCalls(text)).toMatchObject({ calls: [], text });
  });
});
