import { expect, test } from 'vitest';
import { describeFormat } from '../format-suite.case.ts';
import { ParserRegistry } from '../parser-registry.ts';
import { pythonArguments, writtenCall } from '../pythonic/written-python.case.ts';
import { olmo3 } from './olmo3.ts';

const block = (body: string): string => `<function_calls>${body}</function_calls>`;

describeFormat({
  parser: olmo3,
  write: (name, args) => block(writtenCall(name, args)),
  writeAll: (calls) => block(calls.map(([name, args]) => writtenCall(name, args)).join('\n')),
  endMarker: '</function_calls>',
  args: pythonArguments,
  pieces: [
    '<function_calls>',
    '</function_calls>',
    'f(',
    'f(a=1)\n',
    "<function_calls>f(a='",
    "<function_calls>f(a='b 'c' ",
    '<invoke name="f">',
  ],
});

test('tags in the block are left to who reads them', () => {
  const text = block('<invoke name="f"></invoke>');
  const result = new ParserRegistry().register(olmo3, 50).parse(text);
  expect(result).toMatchObject({ text, calls: [], issues: [] });
});
