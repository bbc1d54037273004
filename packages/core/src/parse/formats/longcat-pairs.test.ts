import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { describeFormat } from '../format-suite.case.ts';
import { parseToolCalls } from '../parse-tool-calls.ts';
import type { JsonValue } from '../../types.ts';
import { longcatPairs } from './longcat-pairs.ts';

const text = (value: JsonValue): string =>
  typeof value === 'string' ? value : JSON.stringify(value);
const call = (name: string, args: Readonly<Record<string, JsonValue>>): string => {
  const pairs = Object.entries(args).map(
    ([key, value]) =>
      `<longcat_arg_key>${key}</longcat_arg_key>\n<longcat_arg_value>${text(value)}</longcat_arg_value>\n`,
  );
  return `<longcat_tool_call>${name}\n${pairs.join('')}</longcat_tool_call>`;
};

describeFormat({
  parser: longcatPairs,
  write: call,
  endMarker: '</longcat_tool_call>',
  isTypedBySchema: true,
  args: fc.dictionary(fc.stringMatching(/^[a-z]\w{0,7}$/), fc.jsonValue({ maxDepth: 2 }), {
    maxKeys: 4,
  }) as fc.Arbitrary<Record<string, JsonValue>>,
  pieces: [
    '<longcat_tool_call>',
    '</longcat_tool_call>',
    '<longcat_arg_key>',
    '</longcat_arg_key>',
    '<longcat_arg_value>',
    '</longcat_arg_value>',
    '<longcat_tool_call>f\n<longcat_arg_key>a</longcat_arg_key><longcat_arg_value>',
  ],
});

describe('LongCat', () => {
  it('is not read with the tags of another dialect', () => {
    const input =
      '<longcat_tool_call>f\n<arg_key>a</arg_key><arg_value>1</arg_value></longcat_tool_call>';
    expect(parseToolCalls(input).calls).toEqual([]);
  });
});
