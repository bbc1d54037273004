import { describe, expect, test } from 'vitest';
import { readChunks } from '../chunking.case.ts';
import { describeFormat } from '../format-suite.case.ts';
import { parseToolCalls } from '../parse-tool-calls.ts';
import type { ToolDefinition } from '../../types.ts';
import { mistral } from './mistral.ts';

const PIECES = [
  '[TOOL_CALLS]',
  '[/TOOL_CALLS]',
  '[ARGS]',
  '[CALL_ID]',
  'f',
  '[TOOL_CALLS]f',
  '[TOOL_CALLS]f{"a":',
  '[TOOL_CALLS] [{"name": "f"',
  '[TOOL_CALLS]{"a":1}',
  '[TOOL_',
];

describe('with a marker for each call', () => {
  describeFormat({
    parser: mistral,
    write: (name, args) => `[TOOL_CALLS]${name}[ARGS]${JSON.stringify(args)}`,
    pieces: PIECES,
    skips: {
      'missing-end': 'nothing ends a call but its JSON',
      cut: 'a name alone is a call without arguments; tests below say when',
    },
  });
});

describe('with a list of calls', () => {
  const write = (calls: readonly (readonly [string, unknown])[]): string =>
    `[TOOL_CALLS] ${JSON.stringify(calls.map(([name, args]) => ({ name, arguments: args })))}`;
  describeFormat({
    parser: mistral,
    write: (name, args) => write([[name, args]]),
    writeAll: write,
    pieces: PIECES,
    skips: { 'missing-end': 'nothing ends the list but its last bracket' },
  });
});

const TOOLS: readonly ToolDefinition[] = [
  { name: 'now', parameters: { type: 'object', properties: { utc: { type: 'boolean' } } } },
  {
    name: 'bash',
    parameters: {
      type: 'object',
      properties: { command: { type: 'string' } },
      required: ['command'],
    },
  },
];

describe('mistral', () => {
  test.each([
    ['[TOOL_CALLS]bash[ARGS]{"command": "ls"}', undefined],
    ['[TOOL_CALLS]bash{"command": "ls"}', undefined],
    ['[TOOL_CALLS]bash {"command": "ls"}', undefined],
    ['[TOOL_CALLS] bash[ARGS] {"command": "ls"}', undefined],
    ['[TOOL_CALLS]bash[CALL_ID]a1b2c3d4e[ARGS]{"command": "ls"}', 'a1b2c3d4e'],
    ['[TOOL_CALLS] [{"name": "bash", "arguments": {"command": "ls"}}]', undefined],
    [
      '[TOOL_CALLS][{"name": "bash", "arguments": {"command": "ls"}, "id": "x12345678"}]',
      'x12345678',
    ],
    ['[TOOL_CALLS][{"arguments": {"command": "ls"}, "name": "bash"}][/TOOL_CALLS]', undefined],
    ['[TOOL_CALLS]{"name": "bash", "arguments": {"command": "ls"}}', undefined],
  ])('reads %s', (text, id) => {
    const { calls, text: rest } = parseToolCalls(`So: ${text}`, { nextId: () => 'new' });
    expect(calls).toMatchObject([
      { name: 'bash', arguments: { command: 'ls' }, id: id ?? 'new', repairs: [] },
    ]);
    expect(rest).toBe('So: ');
  });

  test('keeps the text right behind the JSON', () => {
    for (const call of ['now{}', 'now[ARGS]{}', ' [{"name": "now", "arguments": {}}]']) {
      const { calls, text } = parseToolCalls(`[TOOL_CALLS]${call}Asking the clock [0].`);
      expect(calls).toMatchObject([{ name: 'now', arguments: {} }]);
      expect(text).toBe('Asking the clock [0].');
    }
  });

  test('keeps the space between calls, in one piece and in many', () => {
    const text = '[TOOL_CALLS]a{"n": 1} \n[TOOL_CALLS]b[ARGS]{} ';
    expect(parseToolCalls(text).text).toBe(' \n ');
    expect(readChunks(Array.from(text)).text).toBe(' \n ');
  });

  test('reads a name alone where the next call follows', () => {
    const { calls } = parseToolCalls('[TOOL_CALLS]now[TOOL_CALLS]bash{"command":"ls"}');
    expect(calls).toMatchObject([
      { name: 'now', arguments: {}, lossy: false },
      { name: 'bash', arguments: { command: 'ls' } },
    ]);
  });

  test('believes a name alone at the end where the tool needs no arguments, else it may be cut', () => {
    expect(parseToolCalls('[TOOL_CALLS]now', { tools: TOOLS }).calls).toMatchObject([
      { name: 'now', arguments: {}, lossy: false },
    ]);
    expect(parseToolCalls('[TOOL_CALLS]bash', { tools: TOOLS }).calls).toEqual([]);
    expect(parseToolCalls('[TOOL_CALLS]now').calls).toMatchObject([{ name: 'now', lossy: true }]);
  });

  test('runs no call that the text ends in', () => {
    const text = '[TOOL_CALLS]bash[CALL_ID]123456789[ARGS]{"command": "rm -r /tmp/x"}';
    for (let cut = 1; cut < text.length; cut++) {
      expect(parseToolCalls(text.slice(0, cut), { tools: TOOLS }).calls, `cut at ${cut}`).toEqual(
        [],
      );
    }
  });

  test('gives a call whose name stands before the marker the one tool it fits, as a guess', () => {
    for (const text of [
      'bash[TOOL_CALLS]{"command":"ls"}',
      'bash[TOOL_CALLS][ARGS]{"command":"ls"}',
    ]) {
      expect(parseToolCalls(text, { tools: TOOLS })).toMatchObject({
        calls: [{ name: 'bash', arguments: { command: 'ls' }, lossy: true }],
        text: 'bash',
      });
      expect(parseToolCalls(text)).toMatchObject({ calls: [], text });
    }
  });

  test.each([
    '{"name": "bash", "arguments": {"command": "ls"}}, ',
    ' {"name": "bash", "arguments": {"command": "ls"}} ',
  ])('reads the calls after %j in a list without its opening bracket', (first) => {
    const text = `[TOOL_CALLS]${first}{"name": "bash", "arguments": {"command": "pwd"}}]`;
    expect(parseToolCalls(text)).toMatchObject({
      calls: [
        { arguments: { command: 'ls' }, lossy: false, repairs: [] },
        { arguments: { command: 'pwd' }, lossy: false, repairs: ['missing-brace'] },
      ],
      text: '',
    });
  });

  test('does not take an argument called name for the name of a tool', () => {
    const text = '[TOOL_CALLS]{"name": "Ada", "born": 1815}';
    expect(parseToolCalls(text)).toMatchObject({ calls: [], text });
  });

  test('separates what stands between [THINK] and [/THINK], with the calls in it', () => {
    const { calls, reasoning } = parseToolCalls(
      '[THINK]Maybe [TOOL_CALLS]bash{"command":"ls"}?[/THINK][TOOL_CALLS]now{}',
    );
    expect(calls).toMatchObject([{ name: 'now' }]);
    expect(reasoning).toBe('Maybe [TOOL_CALLS]bash{"command":"ls"}?');
  });

  test.each([
    'The marker is called [TOOL_CALLS] here.',
    'Write [TOOL_CALLS] first',
    '`[TOOL_CALLS]`, then a list',
    '[TOOL_CALLS] [not a call]',
    '[TOOL_CALLS] [{"name": whatever}]',
    'abc[TOOL is no marker',
  ])('leaves %j alone', (text) => {
    expect(parseToolCalls(text)).toMatchObject({ calls: [], text });
  });
});
