import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { describeFormat } from '../format-suite.case.ts';
import { parseToolCalls } from '../parse-tool-calls.ts';
import type { JsonValue } from '../../types.ts';
import { solarOpen2 } from './solar-open2.ts';

type Args = Readonly<Record<string, JsonValue>>;

const pair = (key: string, value: JsonValue): string => {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return `<|tool_arg:start|>${key}<|tool_arg:value|>${text}<|tool_arg:end|>\n`;
};
const block = (name: string, pairs: string): string =>
  `<|tool_call:start|>${name}\n${pairs}<|tool_call:end|>`;
const call = (name: string, args: Args): string =>
  block(
    name,
    Object.entries(args)
      .map(([key, value]) => pair(key, value))
      .join(''),
  );

describeFormat({
  parser: solarOpen2,
  write: call,
  endMarker: '<|tool_call:end|>',
  isTypedBySchema: true,
  args: fc.dictionary(fc.stringMatching(/^[a-z]\w{0,7}$/), fc.jsonValue({ maxDepth: 2 }), {
    maxKeys: 4,
  }) as fc.Arbitrary<Args>,
  pieces: [
    '<|tool_call:start|>',
    '<|tool_call:end|>',
    '<|tool_arg:start|>',
    '<|tool_arg:value|>',
    '<|tool_arg:end|>',
    'f\n',
    '<|tool_call:start|>f\n<|tool_arg:start|>a<|tool_arg:value|>',
    '<|think:start|>',
    '<|think:end|>',
  ],
});

describe('an answer of Solar Open 2', () => {
  it('has reasoning, text and calls', () => {
    const input = `<|think:start|>Two.<|think:end|>One moment.${call('a', { n: 1 })}\n${call('b', {})}`;
    expect(parseToolCalls(input)).toMatchObject({
      reasoning: 'Two.',
      text: 'One moment.\n',
      calls: [
        { name: 'a', arguments: { n: 1 }, format: 'solar-open2' },
        { name: 'b', arguments: {} },
      ],
    });
  });

  it('keeps the space around a value', () => {
    expect(parseToolCalls(call('a', { s: '  x\n' })).calls).toMatchObject([
      { arguments: { s: '  x\n' } },
    ]);
  });

  it('gives the first value to a key that comes twice, and is lossy', () => {
    const { calls } = parseToolCalls(block('f', pair('q', 'first') + pair('q', 'second')));
    expect(calls).toMatchObject([{ arguments: { q: 'first' }, lossy: true }]);
  });

  it.each([
    [
      'the end of a value',
      '<|tool_call:start|>a\n<|tool_arg:start|>x<|tool_arg:value|>1<|tool_call:end|>',
    ],
    [
      'the end of a value before another key',
      block(
        'a',
        '<|tool_arg:start|>x<|tool_arg:value|>1<|tool_arg:start|>y<|tool_arg:value|>2<|tool_arg:end|>',
      ),
    ],
    ['the end of a call before the next', `<|tool_call:start|>a\n${pair('x', 1)}${call('b', {})}`],
  ])('may lack %s', (_what, input) => {
    const { calls, text } = parseToolCalls(input);
    expect(calls[0]).toMatchObject({ name: 'a', arguments: { x: 1 } });
    expect(calls[0]?.repairs).toContain('missing-end-marker');
    expect(text).toBe('');
  });

  it('may mention the beginning of a marker in a value', () => {
    expect(parseToolCalls(call('a', { s: 'grep "<|tool_call:" log' })).calls).toMatchObject([
      { arguments: { s: 'grep "<|tool_call:" log' }, repairs: [] },
    ]);
  });

  it.each([
    ['solar-open2', 'upstage/Solar-Open2-102B', '<|tool_call:start|>a\n<|tool_call:end|>'],
    [
      'solar-open',
      'upstage/Solar-Open-100B',
      '<|tool_call:begin|>0<|tool_call:name|>a<|tool_call:end|>',
    ],
  ])('is read as %s for the model %s', (format, model, input) => {
    expect(parseToolCalls(input, { model }).calls).toMatchObject([{ format }]);
  });

  it('is text with an issue where it ends in a value', () => {
    const input = '<|tool_call:start|>a\n<|tool_arg:start|>x<|tool_arg:value|>so';
    expect(parseToolCalls(input)).toMatchObject({
      calls: [],
      text: input,
      issues: [{ code: 'incomplete-call' }],
    });
  });
});
