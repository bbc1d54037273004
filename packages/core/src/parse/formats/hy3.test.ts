import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { describeFormat } from '../format-suite.case.ts';
import { parseToolCalls } from '../parse-tool-calls.ts';
import type { JsonValue } from '../../types.ts';
import { hy3 } from './hy3.ts';

type Args = Readonly<Record<string, JsonValue>>;

const text = (value: JsonValue): string =>
  typeof value === 'string' ? value : JSON.stringify(value);
const one = (name: string, args: Args, suffix = ''): string => {
  const pairs = Object.entries(args).map(
    ([key, value]) =>
      `<arg_key${suffix}>${key}</arg_key${suffix}>\n<arg_value${suffix}>${text(value)}</arg_value${suffix}>\n`,
  );
  return `<tool_call${suffix}>${name}<tool_sep${suffix}>\n${pairs.join('')}</tool_call${suffix}>\n`;
};
const list = (calls: string, suffix = ''): string =>
  `<tool_calls${suffix}>\n${calls}</tool_calls${suffix}>`;

describeFormat({
  parser: hy3,
  write: (name, args) => list(one(name, args)),
  writeAll: (calls) => list(calls.map(([name, args]) => one(name, args)).join('')),
  endMarker: '</tool_call>\n</tool_calls>',
  isTypedBySchema: true,
  args: fc.dictionary(fc.stringMatching(/^[a-z]\w{0,7}$/), fc.jsonValue({ maxDepth: 2 }), {
    maxKeys: 4,
  }) as fc.Arbitrary<Args>,
  pieces: [
    '<tool_calls>',
    '</tool_calls>',
    '<tool_call>',
    '</tool_call>',
    '<tool_sep>',
    'f',
    '<arg_key>a</arg_key>',
    '<arg_value>',
    '</arg_value>',
    '<tool_calls:x>',
    '<think:x>',
    '</think:x>',
    '<tool_call:x>f<tool_sep:x>',
    '</tool_call:x>',
    '<tool_calls><tool_call>f<tool_sep><arg_key>a</arg_key><arg_value>',
  ],
});

describe('the suffix of a tokenizer', () => {
  const calls = one('read', { path: 'a' }, ':opensource') + one('now', {}, ':opensource');
  const meant = [
    { name: 'read', arguments: { path: 'a' }, format: 'hy3' },
    { name: 'now', arguments: {}, format: 'hy3' },
  ];

  it('is read on every tag', () => {
    const result = parseToolCalls(`Reading.${list(calls, ':opensource')} Done.`);
    expect(result).toMatchObject({ calls: meant, text: 'Reading. Done.' });
  });

  it('is read where the list has no tag', () => {
    expect(parseToolCalls(calls)).toMatchObject({ calls: meant });
  });

  it('is read on the tags around reasoning', () => {
    const input = `<think:opensource>Which?</think:opensource>${list(calls, ':opensource')}`;
    expect(parseToolCalls(input)).toMatchObject({ calls: meant, reasoning: 'Which?', text: '' });
  });

  it('may be that of any checkpoint, as in Hy4', () => {
    const suffix = ':6124c78e';
    const input = `<think${suffix}>Which?</think${suffix}>${list(one('now', {}, suffix), suffix)}`;
    for (const options of [{}, { model: 'tencent/Hy4-preview' }]) {
      expect(parseToolCalls(input, options)).toMatchObject({
        calls: [{ name: 'now', format: 'hy3' }],
        reasoning: 'Which?',
        text: '',
      });
    }
  });

  it('is none in prose', () => {
    const input = 'The tag <think:x> begins a thought.\n<think: what follows is none.';
    expect(parseToolCalls(input)).toMatchObject({ text: input, reasoning: '' });
  });

  it('has to be the same on all tags', () => {
    const input = `<tool_calls:a>\n${one('now', {}, ':b')}</tool_calls:a>`;
    expect(parseToolCalls(input).calls).toMatchObject([{ name: 'now' }]);
    expect(parseToolCalls(input).text).toContain('<tool_calls:a>');
  });
});

describe('a list of calls', () => {
  it('goes on behind a value that was not closed', () => {
    const input =
      '<tool_calls><tool_call>a<tool_sep><arg_key>x</arg_key><arg_value>1</tool_call>\n<tool_call>b<tool_sep></tool_call></tool_calls>';
    const result = parseToolCalls(input);
    expect(result.calls).toMatchObject([{ name: 'a', arguments: { x: 1 } }, { name: 'b' }]);
    expect(result.text).toBe('');
  });

  it('keeps the calls before one that the text ends in', () => {
    const input = `<tool_calls>\n${one('a', { x: 1 })}<tool_call>b<tool_sep><arg_key>y`;
    const result = parseToolCalls(input);
    expect(result.calls).toMatchObject([{ name: 'a' }]);
    expect(result.text.trim()).toBe('<tool_call>b<tool_sep><arg_key>y');
  });
});
