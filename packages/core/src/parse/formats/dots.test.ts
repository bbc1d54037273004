import { describe, expect, test } from 'vitest';
import { describeFormat } from '../format-suite.case.ts';
import { ParserRegistry } from '../parser-registry.ts';
import { trimmedArgs, writeInvoke } from '../xml/invoke-suite.case.ts';
import { dots } from './dots.ts';

const block = (calls: string): string => `<dots_function_call>\n${calls}</dots_function_call>`;

describeFormat({
  parser: dots,
  write: (name, args) => block(writeInvoke(name, args)),
  writeAll: (calls) => block(calls.map(([name, args]) => writeInvoke(name, args)).join('')),
  endMarker: '</dots_function_call>',
  isTypedBySchema: true,
  args: trimmedArgs,
  pieces: [
    '<dots_function_call>',
    '</dots_function_call>',
    '<invoke name="f">',
    '</invoke>',
    '<parameter name="a">',
    '</parameter>',
    '<dots_function_call>{"name": "f", "arguments": {"a": 1}}',
    '<dots_function_call><invoke name="f"><parameter name="a"> x',
    '<dots_fun',
  ],
  skips: { code: 'white space at the end of a value is layout in this format' },
});

describe('the format dots', () => {
  const registry = new ParserRegistry().register(dots, 50);

  test('reads JSON in the same tag', () => {
    const json = '{"name": "search", "arguments": {"query": "chairs </dots_function_call>"}}';
    expect(registry.parse(`<dots_function_call>${json}</dots_function_call>`)).toMatchObject({
      calls: [{ name: 'search', arguments: { query: 'chairs </dots_function_call>' } }],
      text: '',
    });
  });

  test('leaves out white space around a value, and keeps it inside', () => {
    const text = block(
      '<invoke name="f"><parameter name="a">\n  one\n\n  two\n</parameter></invoke>',
    );
    expect(registry.parse(text).calls).toMatchObject([{ arguments: { a: 'one\n\n  two' } }]);
  });
});
