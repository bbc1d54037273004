import { describe, expect, test } from 'vitest';
import { describeFormat } from '../format-suite.case.ts';
import { parseToolCalls } from '../parse-tool-calls.ts';
import { solarOpen } from './solar-open.ts';

const call = (name: string, args: unknown, id = '0'): string =>
  `<|tool_call:begin|>${id}<|tool_call:name|>${name}<|tool_call:args|>${JSON.stringify(args)}<|tool_call:end|>`;

describeFormat({
  parser: solarOpen,
  write: (name, args) => `<|tool_calls|>${call(name, args)}`,
  writeAll: (calls) => `<|tool_calls|>${calls.map(([name, args]) => call(name, args)).join('')}`,
  endMarker: '<|tool_call:end|>',
  pieces: [
    '<|tool_calls|>',
    '<|calls|>',
    '<|tool_call:begin|>',
    '<|tool_call:name|>',
    '<|tool_call:args|>',
    '<|tool_call:end|>',
    '<|tool_call:begin|>0<|tool_call:name|>f<|tool_call:args|>{"a":',
    '<|tool_call:begin|>0<|tool_call:name|>f<|tool_call:end|>',
    '<|begin|>assistant',
    '<|content|>',
    '<|end|>',
    '<|tool_call',
  ],
});

describe('solar-open', () => {
  test('takes the ids that are written', () => {
    const { calls } = parseToolCalls(
      `<|tool_calls|>${call('a', {}, 'x1y2z3')}${call('b', { n: 1 }, '1')}<|calls|>`,
    );
    expect(calls).toMatchObject([
      { name: 'a', id: 'x1y2z3' },
      { name: 'b', id: '1', arguments: { n: 1 } },
    ]);
  });

  test('separates reasoning, content and calls, and leaves their tokens out', () => {
    const result = parseToolCalls(
      `<|think|>Two steps.<|end|><|begin|>assistant<|content|>Looking.<|end|><|begin|>assistant<|tool_calls|>${call('a', {})}<|flush|>`,
    );
    expect(result).toMatchObject({
      calls: [{ name: 'a' }],
      text: 'Looking.',
      reasoning: 'Two steps.',
      issues: [],
    });
  });

  test('reads a call without a list, without arguments or without an id', () => {
    const { calls } = parseToolCalls(
      '<|tool_call:begin|><|tool_call:name|>now<|tool_call:end|><|tool_call:begin|>7<|tool_call:name|>later<|tool_call:args|>',
      { incompleteCalls: 'call' },
    );
    expect(calls).toMatchObject([
      { name: 'now', arguments: {}, complete: true },
      { name: 'later', id: '7', complete: false },
    ]);
  });

  test.each([
    'Messages begin with <|begin|>assistant and end with <|end|>.',
    'The list is opened by <|tool_calls|>, a call by <|tool_call:begin|>.',
    'Between `<|content|>` and `<|end|>` stands text.',
  ])('leaves %j alone', (text) => {
    expect(parseToolCalls(text)).toMatchObject({ calls: [], text, issues: [] });
  });
});
