import { describe, expect, test } from 'vitest';
import { describeFormat } from '../format-suite.case.ts';
import { parseToolCalls } from '../parse-tool-calls.ts';
import { nemotronV2 } from './nemotron-v2.ts';

const call = (name: string, args: unknown): string => JSON.stringify({ name, arguments: args });
const block = (body: string): string => `<TOOLCALL>[${body}]</TOOLCALL>`;

describeFormat({
  parser: nemotronV2,
  write: (name, args) => block(call(name, args)),
  writeAll: (calls) => block(calls.map(([name, args]) => call(name, args)).join(', ')),
  endMarker: '</TOOLCALL>',
  pieces: [
    '<TOOLCALL>',
    '</TOOLCALL>',
    '<TOOLCALL>[',
    '<TOOLCALL>[{"name": "f", "arguments": {"a":',
    '<TOOLC',
  ],
});

describe('nemotron-v2', () => {
  test('reads a call whose end was forgotten, and keeps the text behind it', () => {
    const { calls, text } = parseToolCalls(`<TOOLCALL>[${call('a', {})}]\nThat is all.`);
    expect(calls).toMatchObject([{ name: 'a', repairs: ['missing-end-marker'] }]);
    expect(text).toBe('\nThat is all.');
  });

  test('leaves tags in another case as text', () => {
    const text = '<ToolCall>[]</ToolCall>';
    expect(parseToolCalls(text)).toMatchObject({ calls: [], text });
  });
});
