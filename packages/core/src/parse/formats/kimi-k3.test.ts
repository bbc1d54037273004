import { describe, expect, test } from 'vitest';
import type { JsonValue } from '../../types.ts';
import { describeFormat } from '../format-suite.case.ts';
import { ParserRegistry } from '../parser-registry.ts';
import { namedArgs, written } from '../xml/invoke-suite.case.ts';
import { kimiK3 } from './kimi-k3.ts';

type Args = Readonly<Record<string, JsonValue>>;

const argument = (key: string, value: JsonValue): string =>
  `<|open|>argument key="${key}" type="${typeof value}"<|sep|>${written(value)}<|close|>argument<|sep|>`;
const call = (name: string, args: Args): string =>
  `<|open|>call tool="${name}" index="1"<|sep|>${Object.entries(args)
    .map(([key, value]) => argument(key, value))
    .join('')}<|close|>call<|sep|>`;
const section = (calls: string): string => `<|open|>tools<|sep|>${calls}<|close|>tools<|sep|>`;

describeFormat({
  parser: kimiK3,
  skips: { 'unknown-tool': 'the end of the section is markup, whatever it ends' },
  write: (name, args) => section(call(name, args)),
  writeAll: (calls) => section(calls.map(([name, args]) => call(name, args)).join('')),
  endMarker: '<|close|>tools<|sep|>',
  args: namedArgs,
  pieces: [
    '<|open|>tools<|sep|>',
    '<|close|>tools<|sep|>',
    '<|open|>call tool="f" index="1"<|sep|>',
    '<|close|>call<|sep|>',
    '<|open|>argument key="a" type="string"<|sep|>',
    '<|open|>argument key="b" type="number"<|sep|>1',
    '<|close|>argument<|sep|>',
    '<|open|>json type="object"<|sep|>{"a": 1}<|close|>json<|sep|>',
    '<|open|>tools<|sep|><|open|>call tool="f"<|sep|>',
    '<|open|>',
    '<|sep|>',
    '<|clo',
  ],
});

describe('the format kimi-k3', () => {
  const registry = new ParserRegistry().register(kimiK3, 50);

  test('reads attributes with the two characters that are escaped, and no others', () => {
    const text = section(call('a&amp;b&lt;&quot;', { 'x<y': '&quot;' }));
    expect(registry.parse(text).calls).toMatchObject([
      { name: 'a&b&lt;"', arguments: { 'x<y': '&quot;' } },
    ]);
  });

  test('reads spaces between tokens, and one JSON object for all arguments', () => {
    const text =
      '<|open|> tools <|sep|> <|open|> call tool="f" <|sep|> <|open|> json type="object" <|sep|>{"a": [1]} <|close|>json<|sep|> <|close|> call <|sep|> <|close|> tools <|sep|>';
    expect(registry.parse(text)).toMatchObject({
      calls: [{ name: 'f', arguments: { a: [1] }, repairs: [] }],
      text: '',
    });
  });

  test('leaves a call without a tool as text and reads the others', () => {
    const nameless = '<|open|>call index="1"<|sep|><|close|>call<|sep|>';
    const { calls, text } = registry.parse(section(nameless + call('real', {})));
    expect(calls).toMatchObject([{ name: 'real' }]);
    expect(text).toBe(nameless);
  });

  test('keeps what is no JSON as it was written', () => {
    const text = section(call('f', {}).replace('<|close|>', `${argument('n', 0)}<|close|>`));
    expect(registry.parse(text.replace('<|sep|>0<', '<|sep|>not a number<')).calls).toMatchObject([
      { arguments: { n: 'not a number' } },
    ]);
  });
});
