import { describe, expect, test } from 'vitest';
import { describeFormat } from '../format-suite.case.ts';
import { parseToolCalls } from '../parse-tool-calls.ts';
import { xlam } from './xlam.ts';

const call = (name: string, args: unknown): string => JSON.stringify({ name, arguments: args });

describeFormat({
  parser: xlam,
  write: (name, args) => `[${call(name, args)}]`,
  writeAll: (calls) => `[\n${calls.map(([name, args]) => call(name, args)).join(',\n')}\n]`,
  skips: {
    'missing-end': 'JSON without markers has no end marker',
    'cut-issue': 'JSON without markers is only a call once it is complete',
  },
  pieces: [
    '[{"name": "f", "arguments": {}}]',
    '[{"name": "f", "arguments": {"a":',
    '[{"name": ',
    '```json\n[{"name": "f", "arguments": {}}',
    '```',
    '[',
  ],
});

const READ = { name: 'read', arguments: { path: 'a.md' }, format: 'xlam' };
const BODY = call('read', { path: 'a.md' });
const tools = [{ name: 'read' }];

describe('xlam', () => {
  test.each([
    ['alone', `[${BODY}]`, ''],
    ['in a fence', `I look.\n\`\`\`json\n[${BODY}]\n\`\`\``, 'I look.\n'],
    ['behind reasoning', `<think>Hm.</think>[${BODY}]`, ''],
    ['as a forced choice makes them', '[{"name": "read", "parameters": {"path": "a.md"}}]', ''],
  ])('reads a list %s', (_where, text, rest) => {
    const result = parseToolCalls(text);
    expect(result.calls).toMatchObject([{ ...READ, repairs: [] }]);
    expect(result.text).toBe(rest);
  });

  test.each([
    ['numbers', '[1, 2, 3]'],
    ['data', '[{"name": "Ada", "born": 1815}]'],
    ['calls and other things', `[${BODY}, 5]`],
    ['a link', '[read](a.md)'],
    ['a part of other JSON', `{"all": [${BODY}]}`],
  ])('leaves a list of %s as text', (_what, text) => {
    expect(parseToolCalls(text)).toMatchObject({ calls: [], text });
  });

  test('keeps the whole calls of a list that is cut, where the tool was offered', () => {
    const { calls, text } = parseToolCalls(`[${BODY}, {"name": "read", "argu`, { tools });
    expect(calls).toMatchObject([{ ...READ, complete: true, repairs: ['missing-brace'] }]);
    expect(text).toBe(', {"name": "read", "argu');
  });

  test('takes a bracket too many at the end', () => {
    const { calls, text } = parseToolCalls(`[${BODY}]]`, { tools });
    expect(calls).toMatchObject([{ ...READ, repairs: ['extra-brace'] }]);
    expect(text).toBe('');
  });
});
