import { describe, expect, test } from 'vitest';
import { parseToolCalls } from '../parse-tool-calls.ts';
import type { ParseIssue } from '../parse-issue.ts';
import { toAnthropicContent } from './anthropic.ts';

/** A double holds 9007199254740992 instead. */
const DIGITS = '9007199254740993';

const result = parseToolCalls(
  `Paying. <tool_call>{"name": "pay", "arguments": {"to": ${DIGITS}, "ids": [1, ${DIGITS}]}}</tool_call>`,
  { nextId: () => 'call_1' },
);

function contentFor(type: string): { content: object; issues: ParseIssue[] } {
  const issues: ParseIssue[] = [];
  const array = { type: 'array', items: { type } };
  const parameters = { type: 'object', properties: { to: { type }, ids: array } };
  const content = toAnthropicContent(result, {
    tools: [{ name: 'pay', parameters }],
    onIssue: (issue) => void issues.push(issue),
  });
  return { content, issues };
}

describe('toAnthropicContent', () => {
  const input = { to: DIGITS, ids: [1, DIGITS] };
  const blocks = [
    { type: 'text', text: 'Paying. ' },
    { type: 'tool_use', id: 'call_1', name: 'pay', input },
  ];

  test('writes a number that it cannot hold as the string of its digits', () => {
    expect(toAnthropicContent(result)).toEqual(blocks);
  });

  test('reports no issue where the schema says string', () => {
    expect(contentFor('string')).toEqual({ content: blocks, issues: [] });
  });

  test('reports the parameters whose schema says integer', () => {
    const { content, issues } = contentFor('integer');
    expect(content).toEqual(blocks);
    expect(issues).toEqual([
      {
        code: 'digits-lost',
        message: 'pay: the number given for "to", "ids[1]" has more digits than a number can hold',
        offset: 8,
        parser: 'qwen',
        callId: 'call_1',
      },
    ]);
  });

  test('leaves out reasoning, markup and text that is only space', () => {
    const { segments } = parseToolCalls(
      '<think>hm</think>\n<tool_call>{"name": "now", "arguments": {}}</tool_call>\n',
      { nextId: () => 'call_1' },
    );
    expect(toAnthropicContent({ segments })).toEqual([
      { type: 'tool_use', id: 'call_1', name: 'now', input: {} },
    ]);
  });
});
