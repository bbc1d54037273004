import { describe, expect, test } from 'vitest';
import type { JsonValue } from '../../types.ts';
import { describeFormat } from '../format-suite.case.ts';
import { ParserRegistry } from '../parser-registry.ts';
import { namedArgs, writeInvoke } from '../xml/invoke-suite.case.ts';
import { anthropicXml } from './anthropic-xml.ts';

type Args = Readonly<Record<string, JsonValue>>;

const PREFIX = 'antml:';
const block = (calls: string): string => `<function_calls>\n${calls}</function_calls>`;
const prefixed = (name: string, args: Args): string => {
  const names = { invoke: `${PREFIX}invoke`, parameter: `${PREFIX}parameter` };
  return `<${PREFIX}function_calls>\n${writeInvoke(name, args, names)}</${PREFIX}function_calls>`;
};

describeFormat({
  parser: anthropicXml,
  write: (name, args) => block(writeInvoke(name, args)),
  writeAll: (calls) => block(calls.map(([name, args]) => writeInvoke(name, args)).join('')),
  endMarker: '</function_calls>',
  isTypedBySchema: true,
  args: namedArgs,
  pieces: [
    '<function_calls>',
    '</function_calls>',
    `<${PREFIX}function_calls>`,
    `</${PREFIX}function_calls>`,
    '<invoke name="f">',
    `<${PREFIX}invoke name="f">`,
    '</invoke>',
    `</${PREFIX}invoke>`,
    '<parameter name="a">',
    '</parameter>',
    '\n<invoke name="f">\n<parameter name="a">',
    '<function_calls>get_weather(city="Oslo")</function_calls>',
    '<function_ca',
  ],
});

describe('the format anthropic-xml', () => {
  const registry = new ParserRegistry().register(anthropicXml, 50);

  test('reads tags with the prefix', () => {
    expect(registry.parse(prefixed('f', { a: 'x' }))).toMatchObject({
      calls: [{ name: 'f', arguments: { a: 'x' }, repairs: [] }],
      text: '',
    });
  });

  test('reads a call without the tag around it at the start of a line, and the end of that tag', () => {
    const call = writeInvoke('f', { a: 'x' });
    expect(registry.parse(`Now.\n${call}${call}</function_calls>`)).toMatchObject({
      calls: [{ name: 'f' }, { name: 'f' }],
      text: 'Now.\n',
    });
  });

  test('leaves a call that is mentioned in a sentence in it', () => {
    const text = 'Write <invoke name="f"><parameter name="a">x</parameter></invoke> for that.';
    expect(registry.parse(text)).toMatchObject({ calls: [], text });
  });

  test('leaves the pythonic calls of another model alone', () => {
    const text = '<function_calls>get_weather(city="Oslo")</function_calls>';
    expect(registry.parse(text)).toMatchObject({ calls: [], text });
  });
});
