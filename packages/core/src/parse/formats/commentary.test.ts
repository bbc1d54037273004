import { describe, expect, test } from 'vitest';
import { describeFormat } from '../format-suite.case.ts';
import { parseToolCalls } from '../parse-tool-calls.ts';
import { CommentaryToolParser } from './commentary.ts';

describeFormat({
  parser: new CommentaryToolParser(),
  write: (name, args) => `[TOOL_CALL]${JSON.stringify({ tool: name, args })}[/TOOL_CALL]`,
  endMarker: '[/TOOL_CALL]',
  pieces: ['[TOOL_CALL]', '[/TOOL_CALL]', '[TOOL_', '[TOOL_CALL]{', '[TOOL_CALL][', '[/TOOL'],
});

describe('CommentaryToolParser', () => {
  const spellings = ['name', 'tool', 'function'].flatMap((name) =>
    ['arguments', 'args', 'parameters', 'input'].map((args) => [name, args] as const),
  );

  test.each(spellings)('reads the keys %s and %s', (name, args) => {
    const body = JSON.stringify({ [name]: 'ls', [args]: { path: '.' } });
    const { calls } = parseToolCalls(`[TOOL_CALL]${body}[/TOOL_CALL]`);
    expect(calls).toMatchObject([
      { name: 'ls', arguments: { path: '.' }, format: 'commentary', repairs: [] },
    ]);
  });

  test('reads several calls amid commentary', () => {
    const text =
      'I look first. [TOOL_CALL]{"name": "ls"}[/TOOL_CALL] Then I read. [TOOL_CALL]\n{"name": "cat"}\n[/TOOL_CALL]';
    const result = parseToolCalls(text);
    expect(result.calls.map(({ name }) => name)).toEqual(['ls', 'cat']);
    expect(result.text).toBe('I look first.  Then I read. ');
  });

  test('reads a list of calls in one block', () => {
    expect(
      parseToolCalls('[TOOL_CALL][{"name": "a"}, {"name": "b"}][/TOOL_CALL]').calls,
    ).toHaveLength(2);
  });

  test('accepts a missing closing tag at the end of the text, and before the next call', () => {
    const result = parseToolCalls('[TOOL_CALL]{"name": "a"}\n[TOOL_CALL]{"name": "b"}');
    expect(result.calls.map(({ repairs }) => repairs)).toEqual([
      ['missing-end-marker'],
      ['missing-end-marker'],
    ]);
  });

  test('reads Python literals and single quotes', () => {
    const { calls } = parseToolCalls(
      "[TOOL_CALL]{'name': 'f', 'args': {'on': True, 'x': None,}}[/TOOL_CALL]",
    );
    expect(calls).toMatchObject([
      {
        arguments: { on: true, x: null },
        repairs: ['single-quotes', 'python-literal', 'trailing-comma'],
      },
    ]);
  });

  test.each([
    '[TOOL_CALL] is a tag',
    '[TOOL_CALL][/TOOL_CALL]',
    '[tool_call]{"name": "f"}[/tool_call]',
    '[TOOL_CALL]{"name": ',
  ])('leaves %j as text', (text) => {
    const result = parseToolCalls(text);
    expect(result.calls).toEqual([]);
    expect(result.text).toBe(text);
  });
});

test('pays for each opening that another one follows at once', () => {
  const { issues } = parseToolCalls('[TOOL_CALL]'.repeat(20_000), { clock: { now: () => 0 } });
  expect(issues.at(-1)?.code).toBe('work-budget-exceeded');
});
