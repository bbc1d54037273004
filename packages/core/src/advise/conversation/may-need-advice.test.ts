import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Advisor } from '../advisor.ts';
import type { AdvisorOptions } from '../advisor-options.ts';
import type { Advice } from '../advice.ts';
import { CallFacts } from './call-facts.ts';
import type { ConversationStep } from './conversation-step.ts';
import { mayNeedAdvice } from './may-need-advice.ts';
import { pairCalls } from './pair-calls.ts';
import type { PairedConversation } from './pair-calls.ts';
import { replayConversation } from './replay-conversation.ts';
import { toolResult } from './tool-result.ts';

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
      arguments: { command: `${argument % 2 === 0 ? 'cat' : 'run'} ${argument}` },
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
  tool: fc.constantFrom('bash', 'read_file', 'deploy', 'job_status', 'edit'),
  argument: fc.nat(4),
  output: fc.constantFrom(
    'fine',
    'Error: ECONNREFUSED',
    'No such file or directory',
    'cat: x: No such file or directory',
    'Unknown tool: deploy',
    'The user rejected this call',
    '3 failed, 2 passed',
    '',
  ),
  isError: fc.constantFrom(undefined, true, false),
});
const rounds = fc.array(fc.array(call, { minLength: 1, maxLength: 2 }), {
  minLength: 1,
  maxLength: 14,
});
const limits = fc.record(
  {
    toolThreshold: fc.integer({ min: 1, max: 4 }),
    stepBackFailures: fc.integer({ min: 1, max: 6 }),
    stepBackWindow: fc.integer({ min: 1, max: 10 }),
  },
  { requiredKeys: [] },
);

/** What an advisor says of the last round that was told everything as it came. */
const adviceOf = (
  { rounds: told }: PairedConversation,
  options: AdvisorOptions,
): (Advice | undefined)[] => {
  const advisor = new Advisor(options);
  const said = told.map(({ calls }, round) =>
    calls.map(({ call: { tool, arguments: args }, result }) =>
      result === undefined
        ? undefined
        : advisor.after({ tool, arguments: args, round }, toolResult(tool, result)).advice,
    ),
  );
  return (said.at(-1) ?? []).filter((advice) => advice !== undefined);
};

const mayNeed = ({ rounds: read }: PairedConversation, options: AdvisorOptions = {}): boolean =>
  mayNeedAdvice(read, new CallFacts(read, options), options);

describe('a look at the last round', () => {
  test('never misses advice', () => {
    fc.assert(
      fc.property(rounds, limits, (script, options) => {
        const conversation = conversationOf(script);
        if (adviceOf(conversation, options).length > 0)
          expect(mayNeed(conversation, options)).toBe(true);
      }),
    );
  });

  test('leads to what an advisor says that was told everything', () => {
    fc.assert(
      fc.property(rounds, limits, (script, options) => {
        const conversation = conversationOf(script);
        const facts = new CallFacts(conversation.rounds, {});
        const { advised } = replayConversation(conversation, facts, options);
        const now = advised.find(({ readAt }) => readAt === undefined);
        expect((now?.calls ?? []).map(({ advice }) => advice)).toEqual(
          adviceOf(conversation, options),
        );
      }),
    );
  });

  test('finds in a longer conversation what was said in a shorter one', () => {
    fc.assert(
      fc.property(rounds, limits, (script, options) => {
        const conversation = conversationOf(script);
        const facts = new CallFacts(conversation.rounds, {});
        const { advised } = replayConversation(conversation, facts, options);
        const said = script.map((_, at) =>
          adviceOf(conversationOf(script.slice(0, at + 1)), options),
        );
        expect(advised.map(({ calls }) => calls.map(({ advice }) => advice))).toEqual(
          said.filter((each) => each.length > 0),
        );
      }),
    );
  });

  const fine = (argument: number): Call[] => [
    { tool: 'bash', argument, output: 'fine', isError: false },
  ];
  const failed = (argument: number, tool = 'bash'): Call[] => [
    { tool, argument, output: 'gone', isError: true },
  ];
  const unknown: Call[] = [
    { tool: 'fly', argument: 1, output: 'Unknown tool: fly', isError: true },
  ];
  const twice = [3, 4, 7].map((argument) => [...fine(argument), ...fine(argument + 2)]);
  const atOnce = [
    failed(1),
    failed(1, 'a'),
    failed(1, 'b'),
    failed(1, 'c'),
    ...twice,
    failed(9, 'd'),
  ];
  const others = ['a', 'b', 'c', 'd'].map((tool) => failed(1, tool));

  test.each([
    ['is enough where the last call is new and worked', [failed(1), failed(2), fine(3)], false],
    ['is enough where a tool failed for the first time', [fine(1), failed(3)], false],
    ['is enough where other tools failed, and few', [failed(1, 'deploy'), failed(3)], false],
    ['is enough where the last call was made once before', [fine(1), fine(2), fine(1)], false],
    ['is enough where there is no call', [], false],
    ['asks for more where a tool fails again', [failed(1), failed(3)], true],
    ['asks for more where it only looked in between', [failed(1), fine(2), failed(1)], true],
    ['asks for more where a call fails that worked', [failed(1), fine(1), failed(1)], true],
    ['asks for more where a call is made again and again', [fine(1), fine(1), fine(1)], true],
    ['asks for more where half of all failed', [...others, failed(1)], true],
    ['asks for more where calls at once that worked count once', atOnce, true],
    ['asks for more where there is no such tool', [unknown], true],
  ])('%s', (_, script, expected) => {
    expect(mayNeed(conversationOf(script))).toBe(expected);
  });

  test('keeps to the settings of a tool', () => {
    const conversation = conversationOf([fine(1), fine(2), fine(3)]);
    const options = { tools: { bash: { ignoredArguments: ['command'] } } };
    expect([mayNeed(conversation), mayNeed(conversation, options)]).toEqual([false, true]);
  });
});
