import { describe, expect, test } from 'vitest';
import type { JsonValue } from '../../types.ts';
import { describeFormat } from '../format-suite.case.ts';
import type { ParseOptions } from '../parse-options.ts';
import { writtenValue } from '../key-value/written-value.case.ts';
import { ParserRegistry } from '../parser-registry.ts';
import type { ParseResult } from '../parse-result.ts';
import { gemma4 } from './gemma4.ts';

const quoted = (text: string): string => `<|"|>${text}<|"|>`;

const call = (name: string, args: JsonValue): string =>
  `call:${name}${writtenValue(args, '<|"|>')}`;
const block = (calls: string): string => `<|tool_call>${calls}<tool_call|>`;

describeFormat({
  parser: gemma4,
  write: (name, args) => block(call(name, args)),
  writeAll: (calls) => block(calls.map(([name, args]) => call(name, args)).join('')),
  endMarker: '<tool_call|>',
  pieces: [
    '<|tool_call>',
    '<tool_call|>',
    'call:f{',
    '<|"|>',
    'a:',
    ':[',
    'b:<|"|>x<|"|>',
    '<|tool_call>call:f{a:<|"|>',
    '<|tool_call>call:f{a:b',
    '<|channel>',
    '<channel|>',
    '<|channel>thought',
  ],
});

const read = (text: string, options: ParseOptions = {}): ParseResult =>
  new ParserRegistry().register(gemma4, 50).parse(text, options);
const readBody = (body: string, options: ParseOptions = {}): ParseResult =>
  read(block(`call:f{${body}}`), options);
const argumentsOf = (body: string, options: ParseOptions = {}): unknown =>
  readBody(body, options).calls[0]?.arguments;

const tools = [
  {
    name: 'f',
    parameters: {
      type: 'object',
      properties: {
        zip: { type: 'string' },
        count: { type: 'integer' },
        place: { type: 'object', properties: { zip: { type: 'string' } } },
        codes: { type: 'array', items: { type: 'string' } },
      },
    },
  },
];

describe('values without quotes', () => {
  test('are literals of JSON where no schema says otherwise', () => {
    expect(argumentsOf('a:1,b:-2.5e3,c:true,d:null,e:word')).toEqual({
      a: 1,
      b: -2500,
      c: true,
      d: null,
      e: 'word',
    });
  });

  test('are what the schema says, at any depth', () => {
    expect(argumentsOf('zip:00420,count:7,place:{zip:00421},codes:[007,x]', { tools })).toEqual({
      zip: '00420',
      count: 7,
      place: { zip: '00421' },
      codes: ['007', 'x'],
    });
  });

  test('keep digits that a number cannot hold', () => {
    expect(argumentsOf('id:12345678901234567890')).toEqual({ id: '12345678901234567890' });
  });

  test('may be text with commas and braces in it', () => {
    const { calls } = readBody('place:Paris, France,note:use {x} here');
    expect(calls).toMatchObject([
      {
        arguments: { place: 'Paris, France', note: 'use {x} here' },
        repairs: ['unquoted-value'],
      },
    ]);
  });

  test('go on behind what is no parameter of the tool', () => {
    expect(argumentsOf('zip:to: me, cc: you,count:3', { tools })).toEqual({
      zip: 'to: me, cc: you',
      count: 3,
    });
  });
});

describe('quoted values', () => {
  test('stay strings where no schema says otherwise', () => {
    expect(argumentsOf('a:<|"|>1<|"|>,b:<|"|>true<|"|>')).toEqual({ a: '1', b: 'true' });
  });

  test('are taken verbatim', () => {
    const text = 'say "x", \\n {a: [1]} and <tool_call|> too';
    expect(argumentsOf(`a:${quoted(text)}`)).toEqual({ a: text });
  });

  test('may stand in ordinary quotes', () => {
    const { calls } = readBody(String.raw`a:'it's, so',b:"one\ntwo",c:"C:\Users\new"`);
    expect(calls).toMatchObject([
      {
        arguments: { a: "it's, so", b: 'one\ntwo', c: String.raw`C:\Users\new` },
        repairs: ['single-quotes', 'odd-quotes', 'bad-escape'],
      },
    ]);
  });

  test('may have lost their beginning', () => {
    const { calls } = readBody('a:12<|"|>,b:[x<|"|>,<|"|>y<|"|>]');
    expect(calls).toMatchObject([
      { arguments: { a: '12', b: ['x', 'y'] }, repairs: ['missing-quote'], lossy: false },
    ]);
  });

  test('may have lost their end before the end of the block', () => {
    const text = `${block('call:f{o:{a:<|"|>b}}')} and ${block('call:g{c:<|"|>d<|"|>}')}`;
    const { calls, text: rest } = read(text);
    expect(calls).toMatchObject([
      { name: 'f', arguments: { o: { a: 'b' } }, repairs: ['missing-quote'], lossy: true },
      { name: 'g', arguments: { c: 'd' }, repairs: [] },
    ]);
    expect(rest).toBe(' and ');
  });
});

describe('a block', () => {
  test('may have lost its last brace', () => {
    expect(read('<|tool_call>call:f{a:[1,2<tool_call|>').calls).toMatchObject([
      { arguments: { a: [1, 2] }, repairs: ['missing-brace'] },
    ]);
  });

  test('may have = for : and commas too many', () => {
    expect(readBody('a=1,b:[2,],').calls).toMatchObject([
      { arguments: { a: 1, b: [2] }, repairs: ['wrong-separator', 'trailing-comma'] },
    ]);
  });

  test('leaves out a key without a value', () => {
    expect(readBody('a:,b:1').calls).toMatchObject([
      { arguments: { b: 1 }, repairs: ['missing-value'], lossy: true },
    ]);
  });

  test('may be followed by markers that mean nothing', () => {
    const text = `${block('call:f{}')}<tool_call|><|tool_response>Done.`;
    expect(read(text)).toMatchObject({ text: 'Done.', calls: [{ name: 'f', arguments: {} }] });
  });

  test('without a call is markup', () => {
    expect(read('a<|tool_call><tool_call|>b').text).toBe('ab');
  });

  test('deeper than the limit stays text', () => {
    const text = block(`call:f{a:${'['.repeat(200)}${']'.repeat(200)}}`);
    expect(read(text)).toMatchObject({ text, calls: [], issues: [{ code: 'call-too-deep' }] });
  });
});

describe('a channel', () => {
  test('is reasoning, named or not', () => {
    expect(read('<|channel>thought\nSo.<channel|>Yes.')).toMatchObject({
      text: 'Yes.',
      reasoning: '\nSo.',
    });
    expect(read('<|channel>So.<channel|>Yes.')).toMatchObject({ text: 'Yes.', reasoning: 'So.' });
  });

  test('without an end is text, unless it is named', () => {
    expect(read('<|channel>plain').text).toBe('<|channel>plain');
  });

  test('that ends once more at the end of the text leaves nothing in it', () => {
    expect(read('<|channel><|channel>thought<channel|>Yes.<channel|>\n').text).toBe('Yes.\n');
    expect(read('`<channel|>` ends it.').text).toBe('`<channel|>` ends it.');
  });
});
