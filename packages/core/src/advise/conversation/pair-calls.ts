import type { CallStep, ConversationStep, ResultStep } from './conversation-step.ts';
import { OpenCalls } from './open-calls.ts';

/** A call with its result. */
export interface PairedCall {
  readonly call: CallStep;
  /** Counts from 0. What the model calls before it sees a result is one round. */
  readonly round: number;
  /** Undefined while there is none. */
  readonly result: ResultStep | undefined;
  /** Which message the result is in. */
  readonly resultIndex: number | undefined;
}

/** What the model called at once. */
export interface Round {
  /** Whether the user has said something since the round before. */
  readonly isAfterUser: boolean;
  readonly calls: readonly PairedCall[];
  /**
   * How many messages there were when the model read its results, with nothing of the user after them. Undefined
   * where that was not so, or is still to come.
   */
  readonly readAt: number | undefined;
}

/** The rounds of a conversation, in order. */
export interface PairedConversation {
  readonly rounds: readonly Round[];
  /** Whether it ends with results, so that the model is the next to speak about them. */
  readonly endsWithResults: boolean;
}

/** A step, and the index of the message it is in. */
export interface PlacedStep {
  readonly step: ConversationStep;
  readonly index: number;
}

type Draft = { -readonly [Key in keyof PairedCall]: PairedCall[Key] };

interface RoundDraft {
  readonly isAfterUser: boolean;
  readonly calls: Draft[];
  readAt: number | undefined;
}

/** Brings calls and results together. */
export function pairCalls(steps: Iterable<PlacedStep>): PairedConversation {
  const rounds: RoundDraft[] = [];
  const open = new OpenCalls<Draft>();
  let isRoundOver = true;
  let userSpoke = false;
  let last: ConversationStep['type'] | undefined;
  for (const { step, index } of steps) {
    const isReply = last === 'result' && (step.type === 'call' || step.type === 'text');
    last = step.type;
    const read = isReply && !userSpoke ? rounds.at(-1) : undefined;
    if (read !== undefined) read.readAt ??= index;
    if (step.type === 'user') {
      userSpoke = true;
    } else if (step.type === 'call') {
      if (isRoundOver) rounds.push({ isAfterUser: userSpoke, calls: [], readAt: undefined });
      if (isRoundOver) userSpoke = false;
      isRoundOver = false;
      const draft = {
        call: step,
        round: rounds.length - 1,
        result: undefined,
        resultIndex: undefined,
      };
      rounds.at(-1)?.calls.push(draft);
      open.add(draft);
    } else if (step.type === 'result') {
      // Even where its call is not known: the model has seen a result.
      isRoundOver = true;
      const draft = open.take(step);
      if (draft === undefined) continue;
      draft.result = step;
      draft.resultIndex = index;
    }
  }
  return { rounds, endsWithResults: last === 'result' && !userSpoke };
}
