import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ConversationStep } from './conversation-step.ts';
import { mayNeedAdvice } from './may-need-advice.ts';
import { pairCalls } from './pair-calls.ts';
import type { PairedConversation } from './pair-calls.ts';
import { replayConversation } from './replay-conversation.ts';

interface Call {
  readonly tool: string;
  readonly argument: number;
  readonly output: string;
  readonly isError: boolean | undefined;
}

const conversationOf = (rounds: readonly (readonly Call[])[]): PairedConversation => {
  const steps = rounds.flatMap((calls): ConversationStep[] => [
    ...calls.map(({ tool, argument }): ConversationStep => ({
      type: 'call',
      id: undefined,
      tool,
      arguments: { command: `run ${argument}` },
    })),
    ...calls.map(({ output, isError }): ConversationStep => ({
      type: 'result',
      id: undefined,
      tool: undefined,
      output,
      isError,
      exitCode: undefined,
    })),
  ]);
  return pairCalls(steps.map((step, index) => ({ step, index })));
};

const call: fc.Arbitrary<Call> = fc.record({
  tool: fc.constantFrom('bash', 'read_file', 'deploy', 'job_status'),
  argument: fc.nat(2),
  output: fc.constantFrom('fine', 'Error: ECONNREFUSED', 'No such file or directory', ''),
  isError: fc.constantFrom(undefined, true, false),
});
const rounds = fc.array(fc.array(call, { minLength: 1, maxLength: 2 }), {
  minLength: 1,
  maxLength: 8,
});

describe('a look at the last round', () => {
  test('never misses advice', () => {
    fc.assert(
      fc.property(rounds, (script) => {
        const conversation = conversationOf(script);
        const { advised } = replayConversation(conversation, {});
        if (advised.length > 0) expect(mayNeedAdvice(conversation.rounds, {})).toBe(true);
      }),
    );
  });

  const fine = (argument: number): Call[] => [
    { tool: 'bash', argument, output: 'fine', isError: false },
  ];
  const failed = (argument: number): Call[] => [
    { tool: 'bash', argument, output: 'gone', isError: true },
  ];

  test.each([
    ['is enough where the last call is new and worked', [failed(1), failed(2), fine(3)], false],
    ['asks for more where the last call failed', [fine(1), failed(2)], true],
    ['asks for more where the last call was made before', [fine(1), fine(2), fine(1)], true],
    ['is enough where there is no call', [], false],
  ])('%s', (_, script, expected) => {
    expect(mayNeedAdvice(conversationOf(script).rounds, {})).toBe(expected);
  });

  test('keeps to the settings of a tool', () => {
    const { rounds: read } = conversationOf([fine(1), fine(2)]);
    expect(mayNeedAdvice(read, { tools: { bash: { ignoredArguments: ['command'] } } })).toBe(true);
  });
});
