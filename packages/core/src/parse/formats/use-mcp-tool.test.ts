import { describe, expect, it } from 'vitest';
import { describeFormat } from '../format-suite.case.ts';
import { parseToolCalls } from '../parse-tool-calls.ts';
import { useMcpTool } from './use-mcp-tool.ts';

const call = (name: string, args: unknown, server = 'files'): string =>
  `<server_name>${server}</server_name>\n<tool_name>${name}</tool_name>\n<arguments>\n${JSON.stringify(args)}\n</arguments>\n`;
const block = (calls: string): string => `<use_mcp_tool>\n${calls}</use_mcp_tool>`;

describeFormat({
  parser: useMcpTool,
  write: (name, args) => block(call(name, args)),
  writeAll: (calls) => block(calls.map(([name, args]) => call(name, args)).join('')),
  endMarker: '\n</use_mcp_tool>',
  pieces: [
    '<use_mcp_tool>',
    '</use_mcp_tool>',
    '<server_name>s</server_name>',
    '<tool_name>f</tool_name>',
    '<arguments>',
    '</arguments>',
    '{"a": 1}',
    '<use_mcp_tool><tool_name>f</tool_name><arguments>',
    '<use_mcp_tool><server_name>',
  ],
});

describe('the name of a tool', () => {
  const nameOf = (tools: readonly string[], server = 'files'): unknown =>
    parseToolCalls(block(call('read_file', {}, server)), {
      tools: tools.map((name) => ({ name })),
    }).calls.map(({ name, repairs }) => [name, repairs]);

  it('is what was written', () => {
    expect(nameOf(['read_file'])).toEqual([['read_file', []]]);
    expect(parseToolCalls(block(call('read_file', {}))).calls).toMatchObject([
      { name: 'read_file' },
    ]);
  });

  it.each(['files__read_file', 'mcp__files__read_file'])('is with its server %s', (name) => {
    expect(nameOf([name])).toEqual([[name, ['tool-name']]]);
  });

  it('is that of the server where two have the tool', () => {
    const tools = ['files__read_file', 'disk__read_file', 'read_file'];
    expect(nameOf(tools, 'disk')).toEqual([['disk__read_file', ['tool-name']]]);
    expect(nameOf(tools, 'web')).toEqual([['read_file', []]]);
  });

  it('may lack a server', () => {
    const input = block('<tool_name>now</tool_name><arguments></arguments>');
    expect(parseToolCalls(input, { model: 'MiroThinker-v1.5-30B' })).toMatchObject({
      calls: [{ name: 'now', arguments: {}, repairs: [] }],
      text: '',
    });
  });
});

describe('what is no call', () => {
  it.each([
    'Put it between <use_mcp_tool> and </use_mcp_tool>.',
    '<use_mcp_tool></use_mcp_tool>',
    '<use_mcp_tool><server_name>...</server_name><tool_name>...</tool_name><arguments>{...}</arguments></use_mcp_tool>',
  ])('stays text: %s', (input) => {
    expect(parseToolCalls(input)).toMatchObject({ calls: [], text: input, issues: [] });
  });

  it('is text with an issue where the text ends in the arguments', () => {
    const input = '<use_mcp_tool><tool_name>f</tool_name><arguments>{"a": ';
    expect(parseToolCalls(input)).toMatchObject({
      calls: [],
      text: input,
      issues: [{ code: 'incomplete-call' }],
    });
  });

  it('is a call of use_mcp_tool where that is a tool', () => {
    const properties = {
      server_name: { type: 'string' },
      tool_name: { type: 'string' },
      arguments: { type: 'string' },
    };
    const { calls } = parseToolCalls(block(call('read_file', { path: 'a' })), {
      tools: [{ name: 'use_mcp_tool', parameters: { type: 'object', properties } }],
    });
    expect(calls).toMatchObject([
      { name: 'use_mcp_tool', arguments: { server_name: 'files', tool_name: 'read_file' } },
    ]);
  });
});
