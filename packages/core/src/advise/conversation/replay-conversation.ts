import type { Advice } from '../advice.ts';
import { Advisor } from '../advisor.ts';
import type { AdvisorEventListener } from '../advisor-event.ts';
import type { AdvisorOptions } from '../advisor-options.ts';
import type { CallFacts } from './call-facts.ts';
import type { ConversationCall } from './conversation-advice.ts';
import type { PairedConversation, Round } from './pair-calls.ts';
import { toolResult } from './tool-result.ts';

/** What an advisor makes of a conversation. */
export interface Replay {
  readonly calls: readonly ConversationCall[];
  /** The calls that give rise to advice now, and what is said about each. */
  readonly advised: readonly { readonly call: ConversationCall; readonly advice: Advice }[];
}

interface ReplayedCall {
  readonly call: ConversationCall;
  readonly advice: Advice | undefined;
}

/** Tells a new advisor of all that happened, in order, and listens to what it says at the end. */
export function replayConversation(
  { rounds, endsWithResults }: PairedConversation,
  facts: CallFacts,
  { onEvent, ...options }: AdvisorOptions,
): Replay {
  let isNow = false;
  const tell: AdvisorEventListener = (event) => {
    // What was said in the past was told then.
    if (isNow || event.type === 'advisor-failed') onEvent?.(event);
  };
  const advisor = new Advisor({ ...options, onEvent: tell });
  const replayed = rounds.flatMap((round, number) => {
    isNow = endsWithResults && number === rounds.length - 1;
    const calls = replayRound(round, number, facts, advisor);
    return isNow ? calls : calls.map(({ call }) => ({ call, advice: undefined }));
  });
  return {
    calls: replayed.map(({ call }) => call),
    advised: replayed.flatMap(({ call, advice }) => (advice === undefined ? [] : { call, advice })),
  };
}

function replayRound(
  { isAfterUser, calls }: Round,
  round: number,
  facts: CallFacts,
  advisor: Advisor,
): readonly ReplayedCall[] {
  if (isAfterUser) advisor.userSpoke();
  return calls.map((paired) => {
    const { result, resultIndex } = paired;
    const { id, tool, arguments: args } = paired.call;
    const call = { id, tool, arguments: args, round, resultIndex };
    const classification = facts.outcomeOf(paired);
    if (result === undefined || classification === undefined)
      return { call: { ...call, classification: undefined }, advice: undefined };
    // Of a call that was made once it is enough to know how it went: its result is compared with no other.
    const told = facts.isRepeated(paired) ? toolResult(tool, result) : classification;
    // The number of the round keeps what failed side by side from counting as a streak.
    const { advice } = advisor.after({ tool, arguments: args, round }, told);
    return { call: { ...call, classification }, advice };
  });
}
