import { describe, expect, test } from 'vitest';
import { describeFormat } from '../format-suite.case.ts';
import { parseToolCalls } from '../parse-tool-calls.ts';
import { inkling } from './inkling.ts';

const written = (json: string, end = '<|end_message|>'): string =>
  `<|content_invoke_tool_json|>${json}${end}`;

describeFormat({
  parser: inkling,
  write: (name, args) => written(JSON.stringify({ name, args })),
  endMarker: '<|end_message|>',
  pieces: [
    '<|content_invoke_tool_json|>',
    '<|end_message|>',
    '<|content_model_end_sampling|>',
    '<|content_invoke_tool_json|>{"name": "f", "args": {',
    '<|content_invoke',
  ],
});

describe('inkling', () => {
  test('reads a call that the end of sampling ends', () => {
    const text = written('{"name":"f","args":{}}', '<|content_model_end_sampling|>');
    expect(parseToolCalls(text)).toMatchObject({ calls: [{ name: 'f' }], text: '' });
  });

  test('reads the calls around one that cannot be read', () => {
    const broken = written('{not json at all');
    const { calls } = parseToolCalls(
      written('{"name":"a","args":{}}') + broken + written('{"name":"b","args":{"n":1}}'),
    );
    expect(calls.map(({ name }) => name)).toEqual(['a', 'b']);
  });

  test.each([written('bad'), written('{"name":"","args":{}}')])('leaves %j alone', (text) => {
    expect(parseToolCalls(text).calls).toEqual([]);
  });
});
