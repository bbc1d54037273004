import { describe, expect, test } from 'vitest';
import { describeFormat } from '../format-suite.case.ts';
import { parseToolCalls } from '../parse-tool-calls.ts';
import { lmStudio } from './lm-studio.ts';

describeFormat({
  parser: lmStudio,
  write: (name, args) =>
    `[TOOL_REQUEST]${JSON.stringify({ name, arguments: args })}[END_TOOL_REQUEST]`,
  endMarker: '[END_TOOL_REQUEST]',
  pieces: [
    '[TOOL_REQUEST]',
    '[END_TOOL_REQUEST]',
    '[TOOL_REQUEST]{',
    '[TOOL_REQUEST]{"name": "f", "arguments": {"a":',
    '[TOOL_REQ',
    '[END_TOOL',
  ],
});

describe('lm-studio', () => {
  test('leaves the markers in prose as text', () => {
    const text = 'A call stands between [TOOL_REQUEST] and [END_TOOL_REQUEST].';
    expect(parseToolCalls(text)).toMatchObject({ calls: [], text });
  });
});
