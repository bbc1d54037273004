import { expect, test } from 'vitest';
import { describeFormat } from '../format-suite.case.ts';
import { writtenValue } from '../key-value/written-value.case.ts';
import { ParserRegistry } from '../parser-registry.ts';
import { functionGemma } from './functiongemma.ts';

describeFormat({
  parser: functionGemma,
  write: (name, args) =>
    `<start_function_call>call:${name}${writtenValue(args, '<escape>')}<end_function_call>`,
  endMarker: '<end_function_call>',
  pieces: [
    '<start_function_call>',
    '<end_function_call>',
    'call:f{',
    '<escape>',
    'a:',
    ':[',
    'b:<escape>x<escape>',
    '<start_function_call>call:f{a:<escape>',
    '<start_function_call>call:f{a:b',
  ],
});

test('a quoted value is a string unless the schema wants something else', () => {
  const text = '<start_function_call>call:f{a:<escape>42<escape>}<end_function_call>';
  const registry = new ParserRegistry().register(functionGemma, 50);
  const tools = [
    { name: 'f', parameters: { type: 'object', properties: { a: { type: 'integer' } } } },
  ];
  expect(registry.parse(text).calls).toMatchObject([{ arguments: { a: '42' } }]);
  expect(registry.parse(text, { tools }).calls).toMatchObject([{ arguments: { a: 42 } }]);
});
