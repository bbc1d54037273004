import { checkOptions, count } from '../../internal/check-options.ts';
import { joinAdvice } from '../advice-text.ts';
import type { Advice } from '../advice.ts';
import { Advisor } from '../advisor.ts';
import type { AdvisorOptions } from '../advisor-options.ts';
import type { ToolResult } from '../classification.ts';
import type { ConversationAdvice, ConversationCall } from './conversation-advice.ts';
import { cutOwnAdvice } from './own-advice.ts';
import { pairCalls } from './pair-calls.ts';
import type { PairedCall, PlacedStep, Round } from './pair-calls.ts';
import { readMessage } from './read-message.ts';

export interface AdviseConversationOptions extends Omit<AdvisorOptions, 'speakAt' | 'veto'> {
  /** How many messages are read, counted from the end. @defaultValue 200 */
  readonly maxMessages?: number;
}

export const CONVERSATION_DEFAULTS: Readonly<
  Required<Pick<AdviseConversationOptions, 'maxMessages'>>
> = Object.freeze({ maxMessages: 200 });

/**
 * The advice that fits now, told from a conversation's own messages: nothing is kept between calls. Messages
 * of OpenAI's chat and Responses and of Anthropic are known by their shape; what has none is passed over.
 */
export function adviseConversation(
  messages: readonly unknown[],
  options: AdviseConversationOptions = {},
): ConversationAdvice {
  const { maxMessages = CONVERSATION_DEFAULTS.maxMessages, ...advisorOptions } = options;
  checkOptions({ maxMessages }, { maxMessages: count(1) }, 'adviseConversation');
  const advisor = new Advisor(advisorOptions);
  const { rounds, endsWithResults } = pairCalls(stepsOf(messages, maxMessages));
  const replayed = rounds.flatMap((round, number) => {
    const advised = replay(round, number, advisor);
    return number === rounds.length - 1 && endsWithResults ? advised : advised.map(silent);
  });

  const speaking = replayed.filter(({ advice }) => advice !== undefined);
  const call = speaking.at(-1)?.call;
  return {
    advice: joined(speaking.flatMap(({ advice }) => advice ?? [])),
    messageIndex: call?.resultIndex,
    call,
    calls: replayed.map((advised) => advised.call),
  };
}

function* stepsOf(messages: readonly unknown[], maxMessages: number): Generator<PlacedStep> {
  // The messages of a request may be anything, a text among others.
  if (!Array.isArray(messages)) return;
  for (let index = Math.max(0, messages.length - maxMessages); index < messages.length; index++)
    for (const step of readMessage(messages[index])) yield { step, index };
}

interface Replayed {
  readonly call: ConversationCall;
  readonly advice: Advice | undefined;
}

/** Tells the advisor of a round as if it happened now. */
function replay({ isAfterUser, calls }: Round, number: number, advisor: Advisor): Replayed[] {
  if (isAfterUser) advisor.userSpoke();
  return calls.map((paired) => {
    const { call, resultIndex } = paired;
    const { id, tool, arguments: args } = call;
    const result = resultOf(paired);
    if (result === undefined)
      return {
        call: { id, tool, arguments: args, round: number, resultIndex, classification: undefined },
        advice: undefined,
      };
    // A round of its own for each would make of parallel failures a streak.
    const { classification, advice } = advisor.after(
      { tool, arguments: args, round: number },
      result,
    );
    return {
      call: { id, tool, arguments: args, round: number, resultIndex, classification },
      advice,
    };
  });
}

function resultOf({ call, result }: PairedCall): ToolResult | undefined {
  if (result === undefined) return undefined;
  const { output, isError, exitCode } = result;
  return {
    tool: call.tool,
    arguments: call.arguments,
    output: cutOwnAdvice(output),
    ...(isError !== undefined && { isError }),
    ...(exitCode !== undefined && { exitCode }),
  };
}

/** Advice for the past: the model has gone on since. */
function silent({ call }: Replayed): Replayed {
  return { call, advice: undefined };
}

/** One text per turn: what is said about several calls of a round, the step-back last and once. */
function joined(advices: readonly Advice[]): Advice | undefined {
  if (advices.length < 2) return advices[0];
  const parts = advices.flatMap((advice) => advice.parts);
  const stepBack = parts.find(({ rule }) => rule === 'step-back');
  const others = parts.filter(({ rule }) => rule !== 'step-back');
  return joinAdvice(stepBack === undefined ? others : [...others, stepBack]);
}
