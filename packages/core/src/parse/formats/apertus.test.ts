import { describe, expect, test } from 'vitest';
import { describeFormat } from '../format-suite.case.ts';
import { parseToolCalls } from '../parse-tool-calls.ts';
import { apertus } from './apertus.ts';

const call = (name: string, args: unknown): string => JSON.stringify({ [name]: args });
const block = (body: string): string => `<|tools_prefix|>[${body}]<|tools_suffix|>`;

describeFormat({
  parser: apertus,
  write: (name, args) => block(call(name, args)),
  writeAll: (calls) => block(calls.map(([name, args]) => call(name, args)).join(', ')),
  endMarker: '<|tools_suffix|>',
  pieces: [
    '<|tools_prefix|>',
    '<|tools_suffix|>',
    '<|tools_prefix|>[{"f": ',
    '<|tools_prefix|>[{"f": {"name": "g", "arguments": {}}}]',
    '<|tools_prefix|>[{"f": {"a":',
    '<|tools_pre',
    '<|inner_prefix|>',
    '<|inner_suffix|>',
  ],
});

describe('apertus', () => {
  test('reads a call that lacks nothing but its brackets', () => {
    const { calls, text } = parseToolCalls('<|tools_prefix|>[{"a": {"n": 1}');
    expect(calls).toMatchObject([
      {
        name: 'a',
        arguments: { n: 1 },
        complete: true,
        repairs: ['missing-brace', 'missing-end-marker'],
      },
    ]);
    expect(text).toBe('');
  });

  test('keeps the words between a call and its end', () => {
    const { calls, text } = parseToolCalls('<|tools_prefix|>[{"a": {}}] and so on<|tools_suffix|>');
    expect(calls).toMatchObject([{ name: 'a', repairs: ['missing-end-marker'] }]);
    expect(text).toBe(' and so on');
  });

  test('keeps arguments that look like a call', () => {
    const args = { name: 'x', arguments: { y: 1 } };
    expect(parseToolCalls(block(call('send', args))).calls).toMatchObject([
      { name: 'send', arguments: args },
    ]);
  });

  test('separates what it thinks, and keeps the text behind the call', () => {
    const { calls, reasoning, text } = parseToolCalls(
      `<|inner_prefix|>I look.<|inner_suffix|>${block(call('a', {}))}Done.`,
    );
    expect(calls).toMatchObject([{ name: 'a', format: 'apertus' }]);
    expect([reasoning, text]).toEqual(['I look.', 'Done.']);
  });

  test.each([
    ['an object of several keys', '<|tools_prefix|>[{"a": {}, "b": {}}]<|tools_suffix|>'],
    ['arguments that are no object', '<|tools_prefix|>[{"a": 1}]<|tools_suffix|>'],
    ['an empty list', '<|tools_prefix|>[]<|tools_suffix|>'],
  ])('leaves %s as text', (_what, text) => {
    expect(parseToolCalls(text)).toMatchObject({
      calls: [],
      text,
      issues: [{ code: 'unreadable-call' }],
    });
  });
});
