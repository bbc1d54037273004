import { describe, expect, test } from 'vitest';
import type { JsonValue } from '../../types.ts';
import { describeFormat } from '../format-suite.case.ts';
import { ParserRegistry } from '../parser-registry.ts';
import { trimmedArgs, writeInvoke } from '../xml/invoke-suite.case.ts';
import { step3 } from './step3.ts';

const invoke = (name: string, args: Readonly<Record<string, JsonValue>>): string =>
  writeInvoke(name, args, { invoke: 'steptml:invoke', parameter: 'steptml:parameter' }).trimEnd();
const call = (name: string, args: Readonly<Record<string, JsonValue>>): string =>
  `<｜tool_call_begin｜>function<｜tool_sep｜>${invoke(name, args)}<｜tool_call_end｜>\n`;
const section = (calls: string): string => `<｜tool_calls_begin｜>\n${calls}<｜tool_calls_end｜>`;

describeFormat({
  parser: step3,
  write: (name, args) => section(call(name, args)),
  writeAll: (calls) => section(calls.map(([name, args]) => call(name, args)).join('')),
  endMarker: '<｜tool_calls_end｜>',
  isTypedBySchema: true,
  args: trimmedArgs,
  pieces: [
    '<｜tool_calls_begin｜>',
    '<｜tool_calls_end｜>',
    '<｜tool_call_begin｜>',
    '<｜tool_call_end｜>',
    'function<｜tool_sep｜>',
    '<steptml:invoke name="f">',
    '</steptml:invoke>',
    '<steptml:parameter name="a">',
    '</steptml:parameter>',
    '<｜tool_calls_begin｜><｜tool_call_begin｜><steptml:invoke name="f">',
    '<steptml:toolcall>',
    '<｜tool_call',
  ],
  skips: { code: 'white space at the end of a value is layout in this format' },
});

describe('the format step3', () => {
  const registry = new ParserRegistry().register(step3, 50);

  test('reads calls without the section, the header, or the tokens around them', () => {
    const one = invoke('f', { a: 'x' });
    const texts = [
      call('f', { a: 'x' }).trimEnd(),
      `<｜tool_calls_begin｜><｜tool_call_begin｜>${one}<｜tool_call_end｜><｜tool_calls_end｜>`,
      `<｜tool_calls_begin｜><｜tool_call_begin｜>${one}<｜tool_calls_end｜>`,
      `<steptml:toolcall>${one}\n${one}</steptml:toolcall>`,
      one,
    ];
    for (const text of texts) {
      const result = registry.parse(text);
      expect(result.calls[0], text).toMatchObject({ name: 'f', arguments: { a: 'x' } });
      expect(result.text).toBe('');
    }
  });
});
