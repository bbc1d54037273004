import { InvalidOptionError } from '../../errors.ts';
import { checkOptions, count } from '../../internal/check-options.ts';
import { joinAdvice } from '../advice-text.ts';
import type { Advice } from '../advice.ts';
import { Advisor } from '../advisor.ts';
import type { AdvisorEventListener } from '../advisor-event.ts';
import type { AdvisorOptions } from '../advisor-options.ts';
import type { ToolResult } from '../classification.ts';
import type { ConversationAdvice, ConversationCall } from './conversation-advice.ts';
import type { ResultStep } from './conversation-step.ts';
import { cutOwnAdvice, isOwnVeto } from './own-advice.ts';
import { pairCalls } from './pair-calls.ts';
import type { PlacedStep, Round } from './pair-calls.ts';
import { readMessage } from './read-message.ts';

/** As for an `Advisor`; what is found in a conversation is spoken about once, now, and never vetoed. */
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
  const { maxMessages = CONVERSATION_DEFAULTS.maxMessages, onEvent, ...rest } = options;
  checkConversationOptions(options);
  const { rounds, endsWithResults } = pairCalls(stepsOf(messages, maxMessages));

  let isNow = false;
  const tell: AdvisorEventListener = (event) => {
    // What was said in the past was told then.
    if (isNow || event.type === 'advisor-failed') onEvent?.(event);
  };
  const advisor = new Advisor({ ...rest, onEvent: tell });
  const calls: ConversationCall[] = [];
  let spoken: readonly Replayed[] = [];
  rounds.forEach((round, number) => {
    isNow = endsWithResults && number === rounds.length - 1;
    const replayed = replay(round, number, advisor);
    calls.push(...replayed.map(({ call }) => call));
    if (isNow) spoken = replayed.filter(({ advice }) => advice !== undefined);
  });

  const call = spoken.at(-1)?.call;
  const advice = joined(spoken.flatMap((replayed) => replayed.advice ?? []));
  return { advice, messageIndex: call?.resultIndex, call, calls };
}

function checkConversationOptions(options: AdviseConversationOptions): void {
  const { maxMessages } = options;
  checkOptions({ maxMessages }, { maxMessages: count(1) }, 'adviseConversation');
  for (const name of ['speakAt', 'veto'])
    if (name in options)
      throw new InvalidOptionError(`adviseConversation.${name}`, 'no such option', name);
}

function* stepsOf(messages: unknown, maxMessages: number): Generator<PlacedStep> {
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
function replay({ isAfterUser, calls }: Round, round: number, advisor: Advisor): Replayed[] {
  if (isAfterUser) advisor.userSpoke();
  return calls.map(({ call: { id, tool, arguments: args }, result, resultIndex }) => {
    const call = { id, tool, arguments: args, round, resultIndex };
    if (result === undefined)
      return { call: { ...call, classification: undefined }, advice: undefined };
    // The number of the round keeps what failed side by side from counting as a streak.
    const after = advisor.after({ tool, arguments: args, round }, toolResult(tool, result));
    return { call: { ...call, classification: after.classification }, advice: after.advice };
  });
}

function toolResult(tool: string, { output, isError, exitCode }: ResultStep): ToolResult {
  return {
    tool,
    output: cutOwnAdvice(output),
    ...(isError !== undefined && { isError }),
    ...(exitCode !== undefined && { exitCode }),
    ...(isOwnVeto(output) && { notRun: 'denied' }),
  };
}

/** One text for the model: what is said about several calls of a round, the step-back last and once. */
function joined(advices: readonly Advice[]): Advice | undefined {
  if (advices.length < 2) return advices[0];
  const parts = advices.flatMap((advice) => advice.parts);
  const stepBack = parts.find(({ rule }) => rule === 'step-back');
  const others = parts.filter(({ rule }) => rule !== 'step-back');
  return joinAdvice(stepBack === undefined ? others : [...others, stepBack]);
}
