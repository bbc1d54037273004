import { describe, expect, it } from 'vitest';
import { describeFormat } from '../format-suite.case.ts';
import { parseToolCalls } from '../parse-tool-calls.ts';
import { cwm } from './cwm.ts';

const block = (body: string): string => `<tool: function>\n${body}\n</tool>`;

describeFormat({
  parser: cwm,
  write: (name, args) => block(`${name} ${JSON.stringify(args)}`),
  endMarker: '\n</tool>',
  pieces: [
    '<tool: function>',
    '<tool: function>\n',
    '</tool>',
    '\n</tool>',
    '<tool: function>\nf ',
    '<tool: function>\nf {"a": 1}',
    '<tool: function>\nf ls -la\n</tool>',
    '<tool: ',
  ],
});

describe('a call of CWM', () => {
  it.each([
    ['a command', 'bash ls -la | grep "a b"', { command: 'ls -la | grep "a b"' }],
    ['a command of several lines', 'bash cat <<X\n  a\n\nX', { command: 'cat <<X\n  a\n\nX' }],
    ['a command on the next line', 'bash\nmake test', { command: 'make test' }],
    [
      'the end of a call within a line',
      'bash echo "</tool>" > a',
      { command: 'echo "</tool>" > a' },
    ],
    ['a list', 'bash [ -f a ] && ls', { command: '[ -f a ] && ls' }],
    ['JSON', 'bash {"command": "ls", "timeout": 5}', { command: 'ls', timeout: 5 }],
    ['JSON on the next line', 'bash\n{"command": "ls"}', { command: 'ls' }],
    ['nothing', 'bash', {}],
  ])('may hold %s', (_what, body, args) => {
    const tools = [{ name: 'bash' }];
    for (const options of [{}, { tools }, { model: 'facebook/cwm' }]) {
      expect(parseToolCalls(`I look.\n${block(body)} Done.`, options)).toMatchObject({
        calls: [{ name: 'bash', arguments: args, format: 'cwm', repairs: [], lossy: false }],
        text: 'I look.\n Done.',
        issues: [],
      });
    }
  });

  it('is one of several', () => {
    const { calls } = parseToolCalls(`${block('bash ls')}\n${block('bash pwd')}`);
    expect(calls.map(({ arguments: args }) => args)).toEqual([
      { command: 'ls' },
      { command: 'pwd' },
    ]);
  });

  it.each([
    ['that names no offered tool', block('please do this')],
    ['of a command that the text ends in', '<tool: function>\nbash rm -rf /tmp/a'],
  ])('is text with an issue: one %s', (_what, input) => {
    const { calls, text, issues } = parseToolCalls(input, { tools: [{ name: 'bash' }] });
    expect(calls).toEqual([]);
    expect(text).toBe(input);
    expect(issues).toHaveLength(1);
  });

  it.each([
    'The tag <tool: function> begins a call.',
    '<tool: function>\n</tool>',
    '<tool: bash>\nls -la\n</tool>',
  ])('is none: %s', (input) => {
    expect(parseToolCalls(input)).toMatchObject({ calls: [], text: input, issues: [] });
  });
});
