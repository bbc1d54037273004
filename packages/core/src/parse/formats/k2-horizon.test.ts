import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { describeFormat } from '../format-suite.case.ts';
import { parseToolCalls } from '../parse-tool-calls.ts';
import type { JsonObject, JsonValue, ToolDefinition } from '../../types.ts';
import { k2Horizon } from './k2-horizon.ts';

type Args = Readonly<Record<string, JsonValue>>;

const pair = (key: string, value: JsonValue, type = ''): string => {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const typed = type === '' ? '' : `<ifm|arg_type>${type}</ifm|arg_type>\n`;
  return `<ifm|arg_key>${key}</ifm|arg_key>\n${typed}<ifm|arg_value>${text}</ifm|arg_value>\n`;
};
const call = (name: string, pairs: string): string =>
  `<ifm|tool_call>${name}\n${pairs}</ifm|tool_call>`;
const written = (name: string, args: Args): string =>
  call(
    name,
    Object.entries(args)
      .map(([key, value]) => pair(key, value))
      .join(''),
  );
const list = (calls: string): string => `<ifm|tool_calls>\n${calls}\n</ifm|tool_calls>`;

describeFormat({
  parser: k2Horizon,
  write: (name, args) => list(written(name, args)),
  writeAll: (calls) => list(calls.map(([name, args]) => written(name, args)).join('\n')),
  endMarker: '</ifm|tool_call>\n</ifm|tool_calls>',
  isTypedBySchema: true,
  args: fc.dictionary(fc.stringMatching(/^[a-z]\w{0,7}$/), fc.jsonValue({ maxDepth: 2 }), {
    maxKeys: 4,
  }) as fc.Arbitrary<Args>,
  pieces: [
    '<ifm|tool_calls>',
    '</ifm|tool_calls>',
    '<ifm|tool_call>',
    '</ifm|tool_call>',
    '<ifm|arg_key>a</ifm|arg_key>',
    '<ifm|arg_type>',
    '</ifm|arg_type>',
    '<ifm|arg_value>',
    '</ifm|arg_value>',
    '<ifm|tool_call>f<ifm|arg_key>a</ifm|arg_key><ifm|arg_type>string</ifm|arg_type>',
    '<ifm|tool_call>{"name": "f", "arguments": {}}',
    '<ifm|think>',
  ],
});

describe('the types of values', () => {
  const read = (pairs: string, tools?: readonly ToolDefinition[]): JsonObject | undefined =>
    parseToolCalls(list(call('f', pairs)), tools === undefined ? {} : { tools }).calls[0]
      ?.arguments;
  const tool = (schema: JsonValue): readonly ToolDefinition[] => [
    { name: 'f', parameters: { properties: { a: schema } } },
  ];

  it('come from the model where no schema is known', () => {
    const pairs = pair('a', '42', 'string') + pair('b', 42, 'integer') + pair('c', ['1'], 'array');
    expect(read(pairs)).toEqual({ a: '42', b: 42, c: ['1'] });
  });

  it('come from the model where the schema allows a string', () => {
    expect(read(pair('a', '42', 'string'), tool({ type: ['string', 'integer'] }))).toEqual({
      a: '42',
    });
  });

  it('come from the schema where it allows no string', () => {
    expect(read(pair('a', '42', 'string'), tool({ type: 'integer' }))).toEqual({ a: 42 });
  });

  it('may say what the items of a list are', () => {
    expect(read(pair('a', [1], 'array[integer]'))).toEqual({ a: [1] });
  });
});

describe('calls as JSON', () => {
  const json = (name: string): string =>
    `<ifm|tool_call>{"name": "${name}", "arguments": {"n": 1}}</ifm|tool_call>`;

  it('are read together with their markers', () => {
    const result = parseToolCalls(`Now. ${list(json('a') + written('b', {}) + json('c'))} Done.`);
    expect(result.calls).toMatchObject([
      { name: 'a', arguments: { n: 1 }, format: 'k2-horizon', repairs: [] },
      { name: 'b', arguments: {} },
      { name: 'c', arguments: { n: 1 } },
    ]);
    expect(result.text).toBe('Now.  Done.');
  });

  it('are read without the list', () => {
    const result = parseToolCalls(json('a'));
    expect(result).toMatchObject({ calls: [{ name: 'a', repairs: [] }], text: '', issues: [] });
  });
});

describe('the rest of an answer', () => {
  it.each(['think', 'think_fast', 'think_faster'])('separates <ifm|%s>', (tag) => {
    const result = parseToolCalls(`<ifm|${tag}>Which?</ifm|${tag}>\n${list(written('a', {}))}`);
    expect(result).toMatchObject({ reasoning: 'Which?', calls: [{ name: 'a' }] });
  });

  it('marks a call lossy whose key comes twice, and keeps the first value', () => {
    const { calls } = parseToolCalls(list(call('f', pair('a', 1) + pair('a', 2))));
    expect(calls).toMatchObject([{ arguments: { a: 1 }, lossy: true }]);
  });

  it('selects the parser by the name of the model', () => {
    const { calls } = parseToolCalls(list(written('a', {})), { model: 'IFM/K2-Horizon-7B' });
    expect(calls).toMatchObject([{ format: 'k2-horizon' }]);
  });
});
