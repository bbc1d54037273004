import { Advisor, adviseConversation, classify, FAILURE_TYPES } from '@holdfast/core/advise';
import type { ToolResult } from '@holdfast/core/advise';
import { Choices } from '../loop/fuzz-input.ts';
import { expectSame, expectTrue } from '../loop/fuzz-target.ts';
import type { FuzzTarget } from '../loop/fuzz-target.ts';
import { expectJson } from './json-value.ts';

const OUTPUTS = [
  'cat: a.txt: No such file or directory',
  'Exit code 1\nnpm ERR! code ENOENT',
  '{"error": {"code": 429, "message": "rate limit"}, "success": false}',
  '<tool_use_error>String to replace not found in file.</tool_use_error>',
  'Traceback (most recent call last):\n  File "x.py", line 3\nValueError: bad',
  'HTTP/1.1 503 Service Unavailable\n\nretry later',
  'Permission denied (publickey).',
  'Tests: 3 failed, 12 passed',
];

/** What became of a call: the text is its output. */
export const classifyTarget: FuzzTarget = {
  name: 'classify',
  seeds: OUTPUTS.map((text, choice) => ({ text, choice })),
  words: [
    'Error: ',
    'error:',
    'Exit code ',
    'failed',
    '\n',
    '{"error":',
    '"status": 500',
    'timeout',
  ],
  sources: ['packages/core/src/advise/classify'],
  run: ({ text, choice }) => {
    const result = resultFrom(text, choice);
    const one = classify(result);
    expectSame(
      'the same result is classified the same',
      JSON.stringify(classify(result)),
      JSON.stringify(one),
    );
    expectJson({ ...one, type: one.type ?? null, parent: one.parent ?? null });
    const { confidence, evidence, status, type } = one;
    expectTrue('confidence is from 0 to 1', confidence >= 0 && confidence <= 1, () =>
      String(confidence),
    );
    expectTrue('evidence is a short line', isShortLine(evidence), () => JSON.stringify(evidence));
    expectTrue('a type is known', type === undefined || type in FAILURE_TYPES, () => String(type));
    expectTrue('a failure has a type', status !== 'failure' || type !== undefined, () => status);
    advise(result);
  },
  readOnce: (text) => void classify({ tool: 'bash', output: text, exitCode: 1 }),
};

/** Advice is told, bounded and kept as JSON, whatever came back. */
function advise(result: ToolResult): void {
  const advisor = new Advisor();
  const call = { tool: result.tool, arguments: result.arguments ?? {} };
  let said: string | undefined;
  for (let turn = 0; turn < 3; turn++) said = advisor.after(call, result).advice?.text ?? said;
  expectTrue('advice is short', (said ?? '').length < 4000, () => said ?? '');
  const state: unknown = JSON.parse(JSON.stringify(advisor.state));
  expectSame(
    'the state of an advisor is JSON',
    JSON.stringify(Advisor.restore(state).state),
    JSON.stringify(state),
  );
}

function resultFrom(output: string, choice: number): ToolResult {
  const choices = new Choices(choice);
  const isError = choices.of(undefined, true, false);
  const exitCode = choices.of(undefined, 0, 1, 127, 137);
  const status = choices.of(undefined, 200, 404, 503);
  return {
    tool: choices.of('bash', 'read_file', 'http_get', 'edit_file', output.slice(0, 20)),
    output,
    ...(isError !== undefined && { isError }),
    ...(exitCode !== undefined && { exitCode }),
    ...(status !== undefined && { status }),
    ...(choices.flag() && { arguments: { command: output.slice(0, 40), path: 'a' } }),
    ...(choices.flag() && { error: new Error(output) }),
  };
}

const LONGEST_EVIDENCE = 200;

function isShortLine(text: string): boolean {
  return text.length <= LONGEST_EVIDENCE && !text.includes('\n');
}

const CONVERSATIONS = [
  [
    { role: 'user', content: 'go' },
    {
      role: 'assistant',
      tool_calls: [
        { id: 'a', type: 'function', function: { name: 'bash', arguments: '{"command":"ls x"}' } },
      ],
    },
    { role: 'tool', tool_call_id: 'a', content: 'ls: x: No such file or directory' },
    {
      role: 'assistant',
      tool_calls: [
        { id: 'b', type: 'function', function: { name: 'bash', arguments: '{"command":"ls x"}' } },
      ],
    },
    { role: 'tool', tool_call_id: 'b', content: 'ls: x: No such file or directory' },
  ],
  [
    {
      role: 'assistant',
      content: [{ type: 'tool_use', id: 'a', name: 'Read', input: { file: 'x' } }],
    },
    {
      role: 'user',
      content: [
        {
          type: 'tool_result',
          tool_use_id: 'a',
          is_error: true,
          content: [{ type: 'text', text: 'ENOENT' }],
        },
      ],
    },
  ],
  [
    { type: 'function_call', call_id: 'a', name: 'f', arguments: '{}' },
    { type: 'function_call_output', call_id: 'a', output: 'Error: timeout' },
  ],
];

/** Conversations as clients send them: the text is JSON of their messages. */
export const conversationTarget: FuzzTarget = {
  name: 'conversation',
  maxLength: 1200,
  seeds: CONVERSATIONS.map((messages) => ({ text: JSON.stringify(messages), choice: 0 })),
  words: ['"role"', '"tool"', '"content"', '"tool_calls"', '"type"', '"tool_use_id"', 'null', '[]'],
  sources: ['packages/core/src/advise/conversation'],
  run: ({ text }) => {
    const messages = messagesIn(text);
    if (messages === undefined) return;
    const before = JSON.stringify(messages);
    const { advice, messageIndex } = adviseConversation(messages);
    expectSame('a conversation is not changed', JSON.stringify(messages), before);
    const isPlaced =
      advice === undefined ||
      (messageIndex !== undefined && messageIndex >= 0 && messageIndex < messages.length);
    expectTrue('advice belongs to a message', isPlaced, () => String(messageIndex));
  },
};

function messagesIn(text: string): unknown[] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? (value as unknown[]) : [value];
  } catch {
    return undefined;
  }
}
