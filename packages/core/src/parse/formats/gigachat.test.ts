import { describe, expect, test } from 'vitest';
import { describeFormat } from '../format-suite.case.ts';
import { parseToolCalls } from '../parse-tool-calls.ts';
import { ParserRegistry } from '../parser-registry.ts';
import type { JsonObject, JsonValue } from '../../types.ts';
import { namedArgs, written } from '../xml/invoke-suite.case.ts';
import { gigachat } from './gigachat.ts';

const call = (name: string, args: unknown): string => JSON.stringify({ name, arguments: args });
const MESSAGE = '<|message_sep|>\n\nfunction call<|role_sep|>\n';

describeFormat({
  parser: gigachat,
  write: (name, args) => `<|function_call|>${call(name, args)}`,
  skips: { 'missing-end': 'a call has no end marker of its own' },
  pieces: [
    '<|function_call|>',
    '<|message_sep|>',
    MESSAGE,
    `${MESSAGE}{"name": "f", "arguments": {"a":`,
    '<|function_call|>{"name": "f", ',
    'function call',
    '<|role_sep|>',
    '</s>',
    '<|messa',
  ],
});

const parameter = (key: string, value: JsonValue): string =>
  `<｜GCML｜parameter name="${key}" string="${typeof value === 'string'}">${written(value)}</｜GCML｜parameter>\n`;
const invoke = (name: string, parameters: string): string =>
  `<｜GCML｜invoke name="${name}">\n${parameters}</｜GCML｜invoke>\n`;
const invokeOf = (name: string, args: JsonObject): string =>
  invoke(
    name,
    Object.entries(args)
      .map(([key, value]) => parameter(key, value))
      .join(''),
  );
const block = (calls: string): string => `<｜GCML｜tool_calls>\n${calls}</｜GCML｜tool_calls>`;

// GigaChat 3.5
describeFormat({
  parser: gigachat,
  write: (name, args) => block(invokeOf(name, args)),
  writeAll: (calls) => block(calls.map(([name, args]) => invokeOf(name, args)).join('')),
  endMarker: '</｜GCML｜tool_calls>',
  args: namedArgs,
  pieces: [
    '<｜GCML｜tool_calls>',
    '</｜GCML｜tool_calls>',
    '<｜GCML｜invoke name="f">',
    '</｜GCML｜invoke>',
    '<｜GCML｜parameter name="a" string="false">1',
    '<｜GCML｜parameter name="b">',
    '</｜GCML｜parameter>',
    '</｜GCML｜tool_calls></s>',
    '</s>',
    '<｜GC',
  ],
});

describe('gigachat 3.5', () => {
  const a = '<｜GCML｜parameter name="a">42</｜GCML｜parameter>\n';

  test('takes a value for a string that declares nothing, unless the schema allows none', () => {
    const text = block(invoke('f', a + parameter('b', 42)));
    const properties = { a: { type: 'integer' } };
    expect(parseToolCalls(text).calls).toMatchObject([{ arguments: { a: '42', b: 42 } }]);
    expect(
      parseToolCalls(text, { tools: [{ name: 'f', parameters: { properties } }] }).calls,
    ).toMatchObject([{ arguments: { a: 42, b: 42 } }]);
  });

  test('reads the end of the turn after the calls, also alone in a registry', () => {
    const input = `I look.${block(invoke('f', a))}</s>`;
    const registry = new ParserRegistry().register(gigachat, 50);
    for (const options of [{ model: 'ai-sage/GigaChat3.5-432B' }, { registry }]) {
      expect(parseToolCalls(input, options)).toMatchObject({
        calls: [{ name: 'f', format: 'gigachat', repairs: [] }],
        text: 'I look.',
      });
    }
  });

  test('returns a truncated call as text with an issue', () => {
    const text = `<｜GCML｜tool_calls>\n<｜GCML｜invoke name="f">\n${a}`;
    expect(parseToolCalls(text)).toMatchObject({
      calls: [],
      text,
      issues: [{ code: 'incomplete-call' }],
    });
  });
});

describe('gigachat', () => {
  test.each([
    ['behind its marker', '<|function_call|>'],
    ['in a message of its own', MESSAGE],
    ['with other space between the markers', '<|message_sep|> function call <|role_sep|>'],
  ])('reads a call %s, and the end of the text behind it', (_what, marker) => {
    for (const end of ['', '</s>']) {
      const { calls, text } = parseToolCalls(`I look.${marker}${call('a', { n: 1 })}${end}`);
      expect(calls).toMatchObject([
        { name: 'a', arguments: { n: 1 }, format: 'gigachat', repairs: [] },
      ]);
      expect(text).toBe('I look.');
    }
  });

  test.each([
    ['a call without arguments', `${MESSAGE}{"name": "a"}`],
    ['arguments that are no object', `${MESSAGE}{"name": "a", "arguments": "x"}`],
    ['another message', '<|message_sep|>\n\nassistant<|role_sep|>\n{"a": 1}'],
  ])('leaves %s as text', (_what, text) => {
    expect(parseToolCalls(text)).toMatchObject({ calls: [], text });
  });
});
