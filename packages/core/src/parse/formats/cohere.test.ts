import { describe, expect, test } from 'vitest';
import { describeFormat } from '../format-suite.case.ts';
import { parseToolCalls } from '../parse-tool-calls.ts';
import { cohere } from './cohere.ts';

const call = (name: string, args: unknown, id = '0'): string =>
  JSON.stringify({ tool_call_id: id, tool_name: name, parameters: args });
const block = (body: string): string => `<|START_ACTION|>[\n    ${body}\n]<|END_ACTION|>`;

describeFormat({
  parser: cohere,
  write: (name, args) => block(call(name, args)),
  writeAll: (calls) =>
    block(calls.map(([name, args], at) => call(name, args, String(at))).join(',\n    ')),
  endMarker: '<|END_ACTION|>',
  pieces: [
    '<|START_ACTION|>',
    '<|END_ACTION|>',
    '<|START_ACTION|>[{bad}, ',
    '<|START_ACTION|>[{"tool_name": "f", "parameters": {"a":',
    '{"tool_call_id": "0", "tool_name": "f", "parameters": {}}',
    '<|START_RESPONSE|>',
    '<|END_RESPONSE|>',
    '<|START_THINKING|>',
    '<|END_THINKING|>',
    '<|END_OF_TURN_TOKEN|>',
    '<|START_',
  ],
});

describe('cohere', () => {
  test('keeps the ids the model wrote', () => {
    const { calls } = parseToolCalls(block(`${call('a', {}, '7')}, ${call('b', {}, '8')}`));
    expect(calls.map(({ id }) => id)).toEqual(['7', '8']);
  });

  test('reads the other calls of a list with one that is broken', () => {
    const { calls, text } = parseToolCalls(
      block(`{"tool_name": "a", "parameters": {oops}}, ${call('b', { n: 1 })}`),
    );
    expect(calls).toMatchObject([
      { name: 'b', arguments: { n: 1 }, repairs: ['surrounding-text'] },
    ]);
    expect(text).toBe('');
  });

  test('tells thoughts, answer and calls apart by their markers', () => {
    const { calls, reasoning, text } = parseToolCalls(
      `<|START_THINKING|>I look.<|END_THINKING|><|START_RESPONSE|>Wait.<|END_RESPONSE|>${block(call('a', {}))}`,
    );
    expect(calls).toMatchObject([{ name: 'a', format: 'cohere' }]);
    expect([reasoning, text]).toEqual(['I look.', 'Wait.']);
  });

  test('takes the end of the turn for the end of a call', () => {
    const { calls, text } = parseToolCalls(
      `<|START_ACTION|>[${call('a', {})}]<|END_OF_TURN_TOKEN|>`,
    );
    expect(calls).toMatchObject([{ name: 'a', repairs: ['missing-end-marker'] }]);
    expect(text).toBe('');
  });

  test('leaves a list in which nothing can be read as text', () => {
    const text = '<|START_ACTION|>[!!!]<|END_ACTION|>';
    expect(parseToolCalls(text)).toMatchObject({
      calls: [],
      text,
      issues: [{ code: 'unreadable-call' }],
    });
  });
});
