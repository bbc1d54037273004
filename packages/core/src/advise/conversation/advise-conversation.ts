import { InvalidOptionError } from '../../errors.ts';
import { callable, checkOptions, count } from '../../internal/check-options.ts';
import { joinAdvice } from '../advice-text.ts';
import type { Advice } from '../advice.ts';
import { checkAdvisorOptions } from '../advisor-options.ts';
import type { AdvisorOptions } from '../advisor-options.ts';
import { CallFacts } from './call-facts.ts';
import type { ConversationAdvice } from './conversation-advice.ts';
import { mayNeedAdvice } from './may-need-advice.ts';
import type { IsOwnAdvice } from './own-advice.ts';
import { pairCalls } from './pair-calls.ts';
import type { PlacedStep } from './pair-calls.ts';
import { readMessage } from './read-message.ts';
import { replayConversation } from './replay-conversation.ts';
import type { AdvisedRound, Replay } from './replay-conversation.ts';

/** As for an `Advisor`; what is found in a conversation is spoken about once, now, and never vetoed. */
export interface AdviseConversationOptions extends Omit<AdvisorOptions, 'speakAt' | 'veto'> {
  /**
   * Whether a text that looks like advice on a result, or like a veto in place of one, was given for that call.
   * What was not is read as what the tool said. @defaultValue whatever looks like it and stands in its place was
   */
  readonly isOwnAdvice?: IsOwnAdvice;
  /** How many messages are read, counted from the end. @defaultValue 200 */
  readonly maxMessages?: number;
}

/** How far back a conversation is read unless told otherwise. */
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
  const {
    maxMessages = CONVERSATION_DEFAULTS.maxMessages,
    isOwnAdvice,
    ...advisorOptions
  } = options;
  checkConversationOptions(options);
  checkAdvisorOptions(advisorOptions);
  const conversation = pairCalls(stepsOf(messages, maxMessages));
  const { rounds, endsWithResults } = conversation;
  const facts = new CallFacts(rounds, advisorOptions, isOwnAdvice);
  let replayed: Replay | undefined;
  const replay = (): Replay =>
    (replayed ??= replayConversation(conversation, facts, advisorOptions));
  const isDue = endsWithResults && mayNeedAdvice(rounds, facts, advisorOptions);
  const now = isDue ? replay().advised.find(({ readAt }) => readAt === undefined) : undefined;
  return {
    ...adviceOf(now),
    get earlier() {
      return replay().advised.flatMap((round) => {
        const { advice, ...place } = adviceOf(round);
        const { readAt: messageCount } = round;
        return advice === undefined || messageCount === undefined
          ? []
          : { advice, ...place, messageCount };
      });
    },
    get calls() {
      return replay().calls;
    },
  };
}

/** What is said about a round, and on which of its results. */
function adviceOf(
  round: AdvisedRound | undefined,
): Pick<ConversationAdvice, 'advice' | 'messageIndex' | 'call'> {
  const call = round?.calls.at(-1)?.call;
  return {
    advice: joined((round?.calls ?? []).map(({ advice }) => advice)),
    messageIndex: call?.resultIndex,
    call,
  };
}

function checkConversationOptions(options: AdviseConversationOptions): void {
  const { maxMessages, isOwnAdvice } = options;
  checkOptions(
    { maxMessages, isOwnAdvice },
    { maxMessages: count(1), isOwnAdvice: callable },
    'adviseConversation',
  );
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

/** One text for the model: what is said about several calls of a round, the step-back last and once. */
function joined(advices: readonly Advice[]): Advice | undefined {
  if (advices.length < 2) return advices[0];
  const parts = advices.flatMap((advice) => advice.parts);
  const stepBack = parts.find(({ rule }) => rule === 'step-back');
  const others = parts.filter(({ rule }) => rule !== 'step-back');
  return joinAdvice(stepBack === undefined ? others : [...others, stepBack]);
}
