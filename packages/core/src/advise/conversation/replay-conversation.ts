import type { Advice } from '../advice.ts';
import { Advisor } from '../advisor.ts';
import type { AdvisorEventListener } from '../advisor-event.ts';
import type { AdvisorOptions } from '../advisor-options.ts';
import type { CallFacts } from './call-facts.ts';
import type { ConversationCall } from './conversation-advice.ts';
import type { PairedConversation, Round } from './pair-calls.ts';

/** What an advisor makes of a conversation. */
export interface Replay {
  readonly calls: readonly ConversationCall[];
  /** The rounds that gave rise to advice when the model read their results, in order. */
  readonly advised: readonly AdvisedRound[];
}

/** The calls of a round that gave rise to advice, and what is said about each. */
export interface AdvisedRound {
  readonly calls: readonly { readonly call: ConversationCall; readonly advice: Advice }[];
  /** How many messages there were then; undefined for the round that the model reads now. */
  readonly readAt: number | undefined;
}

interface ReplayedCall {
  readonly call: ConversationCall;
  readonly advice: Advice | undefined;
}

/** Gives a new advisor all calls in order, and collects what it says about each round. */
export function replayConversation(
  { rounds, endsWithResults }: PairedConversation,
  facts: CallFacts,
  { onEvent, ...options }: AdvisorOptions,
): Replay {
  let isNow = false;
  const tell: AdvisorEventListener = (event) => {
    // Events of the past were reported then.
    if (isNow || event.type === 'advisor-failed') onEvent?.(event);
  };
  const advisor = new Advisor({ ...options, onEvent: tell });
  const calls: ConversationCall[] = [];
  const advised: AdvisedRound[] = [];
  for (const [number, round] of rounds.entries()) {
    isNow = endsWithResults && number === rounds.length - 1;
    const replayed = replayRound(round, number, facts, advisor);
    for (const { call } of replayed) calls.push(call);
    const { readAt } = round;
    if (!isNow && readAt === undefined) continue;
    const said = replayed.flatMap(({ call, advice }) =>
      advice === undefined ? [] : { call, advice },
    );
    if (said.length > 0) advised.push({ calls: said, readAt: isNow ? undefined : readAt });
  }
  return { calls, advised };
}

function replayRound(
  { isAfterUser, calls }: Round,
  round: number,
  facts: CallFacts,
  advisor: Advisor,
): readonly ReplayedCall[] {
  if (isAfterUser) advisor.userSpoke();
  return calls.map((paired) => {
    const { id, tool, arguments: args } = paired.call;
    const call = { id, tool, arguments: args, round, resultIndex: paired.resultIndex };
    const classification = facts.outcomeOf(paired);
    if (classification === undefined)
      return { call: { ...call, classification: undefined }, advice: undefined };
    // Of a call that was made once it is enough to know how it went: its result is compared with no other.
    const result = facts.isRepeated(paired) ? facts.resultOf(paired) : undefined;
    // The number of the round keeps what failed side by side from counting as a streak.
    const { advice } = advisor.after({ tool, arguments: args, round }, result ?? classification);
    return { call: { ...call, classification }, advice };
  });
}
