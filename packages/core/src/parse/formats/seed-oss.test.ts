import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { describeFormat } from '../format-suite.case.ts';
import { parseToolCalls } from '../parse-tool-calls.ts';
import type { JsonValue } from '../../types.ts';
import { seedOss } from './seed-oss.ts';

const text = (value: JsonValue): string =>
  typeof value === 'string' ? value : JSON.stringify(value);
const call = (name: string, args: Readonly<Record<string, JsonValue>>): string => {
  const parameters = Object.entries(args).map(
    ([key, value]) => `<parameter=${key}>${text(value)}</parameter>\n`,
  );
  return `<seed:tool_call>\n<function=${name}>\n${parameters.join('')}</function>\n</seed:tool_call>`;
};

describeFormat({
  parser: seedOss,
  write: call,
  endMarker: '\n</seed:tool_call>',
  isTypedBySchema: true,
  args: fc.dictionary(fc.stringMatching(/^[a-z]\w{0,7}$/), fc.jsonValue({ maxDepth: 2 }), {
    maxKeys: 4,
  }) as fc.Arbitrary<Record<string, JsonValue>>,
  pieces: [
    '<seed:tool_call>',
    '</seed:tool_call>',
    '<function=f>',
    '</function>',
    '<parameter=a>',
    '</parameter>',
    '<seed:',
    '<seed:think>x</seed:think>',
    '</seed:think>',
    '<seed:tool_call><function=f><parameter=a>x',
  ],
});

describe('what is special about Seed-OSS', () => {
  const argumentsOf = (value: string) =>
    parseToolCalls(
      `<seed:tool_call><function=f><parameter=v>${value}</parameter></function></seed:tool_call>`,
    ).calls[0]?.arguments['v'];

  it('keeps a line break at the end of a value', () => {
    expect(argumentsOf('pass\n')).toBe('pass\n');
    expect(argumentsOf('  pass\n\n')).toBe('  pass\n\n');
  });

  it('takes line breaks at both ends for markup', () => {
    expect(argumentsOf('\npass\n')).toBe('pass');
    expect(argumentsOf('\npass')).toBe('pass');
  });

  it('reads a literal where no schema says what a value is', () => {
    expect(argumentsOf('[1, 2]')).toEqual([1, 2]);
    expect(argumentsOf('007')).toBe('007');
    expect(argumentsOf('one')).toBe('one');
  });

  it('separates what stands in <seed:think>, and leaves what it says of its budget', () => {
    const budget = '<seed:cot_budget_reflect>40 of 100</seed:cot_budget_reflect>';
    const input = `<seed:think>Which file?</seed:think>${budget}${call('now', {})}`;
    const result = parseToolCalls(input);
    expect(result).toMatchObject({ reasoning: 'Which file?', text: budget });
    expect(result.calls).toMatchObject([{ name: 'now', format: 'seed-oss' }]);
  });

  it('takes a block with nothing in it for markup', () => {
    const { text: rest, calls } = parseToolCalls('a<seed:tool_call>\n</seed:tool_call>b');
    expect(rest).toBe('ab');
    expect(calls).toEqual([]);
  });
});
