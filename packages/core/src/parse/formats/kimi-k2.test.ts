import { describe, expect, test } from 'vitest';
import { createToolCallStream } from '../create-tool-call-stream.ts';
import { describeFormat } from '../format-suite.case.ts';
import { parseToolCalls } from '../parse-tool-calls.ts';
import type { ToolDefinition } from '../../types.ts';
import { kimiK2 } from './kimi-k2.ts';

const written = (header: string, json: string): string =>
  `<|tool_call_begin|>${header}<|tool_call_argument_begin|>${json}<|tool_call_end|>`;
const call = (name: string, args: unknown): string =>
  written(`functions.${name}:0`, JSON.stringify(args));
const section = (calls: string): string =>
  `<|tool_calls_section_begin|>${calls}<|tool_calls_section_end|>`;

describeFormat({
  parser: kimiK2,
  write: (name, args) => section(call(name, args)),
  writeAll: (calls) => section(calls.map(([name, args]) => call(name, args)).join('')),
  endMarker: '<|tool_call_end|><|tool_calls_section_end|>',
  pieces: [
    '<|tool_calls_section_begin|>',
    '<|tool_calls_section_end|>',
    '<|tool_call_begin|>',
    'functions.f:0',
    '<|tool_call_argument_begin|>',
    '<|tool_call_end|>',
    '<|tool_call',
    '<|tool_call_begin|>functions.f:0<|tool_call_argument_begin|>{"a":',
    '<|tool_call_begin|>functions.f:0<|tool_call_argument_begin|>"{',
    '<|tool_call_begin|>functions.f:0<|tool_call_end|>',
  ],
});

const TOOLS: readonly ToolDefinition[] = [
  tool('move', ['from', 'to'], ['from', 'to']),
  tool('list', ['folder'], []),
  tool('count', ['folder', 'kind'], ['kind']),
];

function tool(name: string, keys: readonly string[], required: readonly string[]): ToolDefinition {
  const properties = Object.fromEntries(keys.map((key) => [key, { type: 'string' }]));
  return { name, parameters: { type: 'object', properties, required } };
}

describe('kimi-k2', () => {
  test.each([
    ['functions.read_file:0', 'read_file'],
    ['read_file:12', 'read_file'],
    ['functions.files.read:3', 'files.read'],
    ['functions.mcp__disk__read-file:1', 'mcp__disk__read-file'],
    ['\n functions.read_file : 0 \n', 'read_file'],
  ])('reads the name in %j, and all of it is the id', (header, name) => {
    const { calls } = parseToolCalls(section(written(header, '{}')));
    expect(calls).toMatchObject([{ name, id: header.trim(), repairs: [], lossy: false }]);
  });

  test('reads a header without a number if it names a tool that was offered', () => {
    const text = section(written('functions.list', '{"folder":"a"}'));
    expect(parseToolCalls(text, { tools: TOOLS }).calls).toMatchObject([{ name: 'list' }]);
    expect(parseToolCalls(text).calls).toEqual([]);
  });

  test('gives a bare counter the one tool that takes such arguments, as a guess', () => {
    const { calls } = parseToolCalls(section(written('5', '{"from":"a","to":"b"}')), {
      tools: TOOLS,
    });
    expect(calls).toMatchObject([{ name: 'move', lossy: true, repairs: ['tool-name'] }]);
  });

  test.each([
    ['several tools', '{"folder":"a","kind":"b"}', ['list', 'count']],
    ['no tool', '{"colour":"red"}', []],
  ])('leaves a bare counter alone where %s could be meant', (_case, json, names) => {
    const tools = TOOLS.map((one) =>
      names.includes(one.name) ? tool(one.name, ['folder', 'kind'], []) : one,
    );
    const text = section(written('5', json));
    expect(parseToolCalls(text, { tools })).toMatchObject({ calls: [], text });
    expect(parseToolCalls(text).calls).toEqual([]);
  });

  test('reads the siblings of a call that cannot be read, which stays text', () => {
    const broken = written('what@is:this', '{"a":1}');
    const { calls, text, issues } = parseToolCalls(
      section(call('a', {}) + broken + call('b', { n: 1 })),
    );
    expect(calls.map(({ name }) => name)).toEqual(['a', 'b']);
    expect(text).toBe(broken);
    expect(issues).toMatchObject([{ code: 'unreadable-call' }]);
  });

  test('reads calls without a section, and without an end between them', () => {
    const text = (call('a', { n: 1 }) + call('b', {})).replaceAll('<|tool_call_end|>', '');
    const { calls, text: rest } = parseToolCalls(`so: ${text}`);
    expect(calls).toMatchObject([
      { name: 'a', arguments: { n: 1 } },
      { name: 'b', arguments: {} },
    ]);
    expect(rest).toBe('so: ');
  });

  test('reads arguments that were left out, or written as a string', () => {
    const { calls } = parseToolCalls(
      section(
        `<|tool_call_begin|>functions.a:0<|tool_call_end|>${written('functions.b:1', '"{\\"n\\":1}"')}`,
      ),
    );
    expect(calls).toMatchObject([
      { name: 'a', arguments: {} },
      { name: 'b', arguments: { n: 1 }, repairs: ['double-encoded'] },
    ]);
  });

  test('takes an empty section, and an end that text came before, for markup', () => {
    expect(parseToolCalls(`before${section('')}behind`).text).toBe('beforebehind');
    const late = section(`${call('a', {})} and `);
    expect(parseToolCalls(late)).toMatchObject({ calls: [{ name: 'a' }], text: ' and ' });
  });

  test('leaves prose about its markers alone', () => {
    const text = 'It ends with <|tool_calls_section_end|>, and begins with <|tool_call_begin|>.';
    expect(parseToolCalls(text)).toMatchObject({ calls: [], text, issues: [] });
  });
});

test('arguments that are written as a string are read however the text is cut', () => {
  const text = written('functions.move:0', JSON.stringify('{"from":"a","to":"b"}'));
  for (let at = 1; at < text.length; at++) {
    const calls: unknown[] = [];
    const stream = createToolCallStream({
      onEvent(event) {
        if (event.type === 'call-end') calls.push(event.call.arguments);
      },
    });
    stream.feed(text.slice(0, at));
    stream.feed(text.slice(at));
    stream.end();
    expect(calls).toEqual([{ from: 'a', to: 'b' }]);
  }
});
