import { describe, expect, test } from 'vitest';
import { describeFormat } from '../format-suite.case.ts';
import { parseToolCalls } from '../parse-tool-calls.ts';
import { granite } from './granite.ts';

const call = (name: string, args: unknown): string => JSON.stringify({ name, arguments: args });

describeFormat({
  parser: granite,
  write: (name, args) => `<|tool_call|>[${call(name, args)}]`,
  writeAll: (calls) => `<|tool_call|>[${calls.map(([name, args]) => call(name, args)).join(', ')}]`,
  skips: { 'missing-end': 'a list has no end marker' },
  pieces: [
    '<|tool_call|>',
    '<|tool_call|>[',
    '<|tool_call|>[{"name": "f", ',
    '<function_call>',
    '</function_call>',
    '<function_call> {"name": "f", "arguments": {"a":',
    '<|tool_c',
  ],
});

describe('granite', () => {
  test('reads calls that each have a marker and no end', () => {
    const { calls, text } = parseToolCalls(
      `I look.\n<function_call> ${call('a', { n: 1 })}\n<function_call> ${call('b', {})}`,
    );
    expect(calls).toMatchObject([
      { name: 'a', arguments: { n: 1 }, format: 'granite', repairs: [] },
      { name: 'b', arguments: {}, format: 'granite', repairs: [] },
    ]);
    expect(text).toBe('I look.\n\n');
  });

  test('takes the closing tag other models write', () => {
    const { calls, text } = parseToolCalls(`<function_call>${call('a', {})}</function_call> Done.`);
    expect(calls).toMatchObject([{ name: 'a', repairs: [] }]);
    expect(text).toBe(' Done.');
  });

  test('keeps the whole calls of a list that is cut', () => {
    const { calls, text } = parseToolCalls(
      `<|tool_call|>[${call('a', { n: 1 })}, {"name": "b", "argum`,
    );
    expect(calls).toMatchObject([{ name: 'a', complete: true, repairs: ['missing-brace'] }]);
    expect(text).toBe(', {"name": "b", "argum');
  });

  test.each([
    ['a marker in prose', 'The model writes <|tool_call|> first.'],
    ['a name that is no text', '<function_call> {"name": 123}'],
  ])('leaves %s as text', (_what, text) => {
    expect(parseToolCalls(text)).toMatchObject({ calls: [], text });
  });
});
