import { describe, expect, it } from 'vitest';
import { describeFormat } from '../format-suite.case.ts';
import { parseToolCalls } from '../parse-tool-calls.ts';
import { plamo3 } from './plamo3.ts';

const token = (name: string): string => `<|plamo:${name}:plamo|>`;
const HEAD = '<|plamo:constrain|>json<|plamo:msg|>';
const one = (name: string, args: string, head = HEAD): string =>
  token('begin_tool_request') +
  token('begin_tool_name') +
  name +
  token('end_tool_name') +
  token('begin_tool_arguments') +
  head +
  args +
  token('end_tool_arguments') +
  token('end_tool_request');
const list = (calls: string): string =>
  token('begin_tool_requests') + calls + token('end_tool_requests');

describeFormat({
  parser: plamo3,
  write: (name, args) => list(one(name, JSON.stringify(args))),
  writeAll: (calls) => list(calls.map(([name, args]) => one(name, JSON.stringify(args))).join('')),
  endMarker: token('end_tool_arguments') + token('end_tool_request') + token('end_tool_requests'),
  pieces: [
    token('begin_tool_requests'),
    token('end_tool_requests'),
    token('begin_tool_request'),
    token('end_tool_request'),
    token('begin_tool_name'),
    token('end_tool_name'),
    token('begin_tool_arguments'),
    token('end_tool_arguments'),
    HEAD,
    'f',
    token('begin_tool_request') + token('begin_tool_name') + 'f' + token('end_tool_name'),
    '<|plamo:tag|>',
    '<|plamo:begin_',
  ],
});

describe('an answer of PLaMo 3', () => {
  it('has reasoning, text, calls and an end', () => {
    const calls = list(one('a', '{"n": 1}') + one('b', '{}'));
    const input = `${token('begin_think')}Two.${token('end_think')}One moment.${calls}<|plamo:tag|>`;
    expect(parseToolCalls(input)).toMatchObject({
      reasoning: 'Two.',
      text: 'One moment.',
      calls: [
        { name: 'a', arguments: { n: 1 }, format: 'plamo3', repairs: [] },
        { name: 'b', arguments: {}, repairs: [] },
      ],
      issues: [],
    });
  });

  it.each([
    ['the list', one('a', '{"n": 1}')],
    ['the constraint', list(one('a', '{"n": 1}', '<|plamo:msg|>'))],
    ['all that precedes the JSON', list(one('a', '{"n": 1}', ''))],
  ])('may lack %s', (_what, input) => {
    expect(parseToolCalls(input, { model: 'pfnet/plamo-3-nict-8b' })).toMatchObject({
      calls: [{ name: 'a', arguments: { n: 1 }, repairs: [], complete: true }],
      text: '',
    });
  });

  it('may have no arguments', () => {
    const input = list(
      token('begin_tool_request') +
        token('begin_tool_name') +
        'now' +
        token('end_tool_name') +
        token('end_tool_request'),
    );
    expect(parseToolCalls(input)).toMatchObject({
      calls: [{ name: 'now', arguments: {}, repairs: [] }],
      text: '',
    });
  });

  it('keeps the calls before one that names no tool, and returns that as text', () => {
    const broken = one('not a name', '{}');
    const { calls, text } = parseToolCalls(list(one('a', '{}') + broken));
    expect(calls).toMatchObject([{ name: 'a' }]);
    expect(text).toContain('not a name');
  });

  it('is text with an issue wherever it ends after the name', () => {
    const whole = list(one('a', '{"n": 1}'));
    const end = whole.indexOf('}');
    for (let cut = whole.indexOf('<|plamo:begin_tool_arguments'); cut <= end; cut++) {
      const input = whole.slice(0, cut);
      const result = parseToolCalls(input);
      expect(result, input).toMatchObject({ calls: [], text: input });
      expect(result.issues, input).toHaveLength(1);
    }
  });

  it('keeps the token of its end in prose', () => {
    const input = 'The token <|plamo:tag|> ends an answer.';
    expect(parseToolCalls(input)).toMatchObject({ calls: [], text: input, issues: [] });
  });
});
