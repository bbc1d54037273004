import type { JsonObject } from '../../types.ts';
import type { Advice } from '../advice.ts';
import type { Classification } from '../classification.ts';

/** A call that was found in a conversation. */
export interface ConversationCall {
  /** Undefined where the messages have no ids. */
  readonly id: string | undefined;
  readonly tool: string;
  /** A text that is no JSON object stands under `input`. */
  readonly arguments: JsonObject;
  /** Counts from 0. What the model called at once shares a round. */
  readonly round: number;
  /** Which of the messages holds its result; undefined while there is none. */
  readonly resultIndex: number | undefined;
  /** What became of it; undefined while there is no result. */
  readonly classification: Classification | undefined;
}

/** Advice that was due when the model read the results of an earlier round. */
export interface EarlierAdvice {
  readonly advice: Advice;
  /** Which of the messages it belongs to. */
  readonly messageIndex: number | undefined;
  /** The call whose result that is. */
  readonly call: ConversationCall | undefined;
  /** How many messages the conversation had then. */
  readonly messageCount: number;
}

/** What a conversation says about its tools. */
export interface ConversationAdvice {
  /** What the model should hear before it goes on; undefined when there is nothing to say now. */
  readonly advice: Advice | undefined;
  /** Which of the messages the advice belongs to: it holds the result that gave rise to it. */
  readonly messageIndex: number | undefined;
  /** The call whose result that is. */
  readonly call: ConversationCall | undefined;
  /**
   * What was to be said in the rounds before, oldest first. It is found when this is first looked at, and does not
   * change while messages are only added: with it on its results, a prompt keeps its beginning.
   */
  readonly earlier: readonly EarlierAdvice[];
  /** All calls that were read, in order. They are classified when this is first looked at. */
  readonly calls: readonly ConversationCall[];
}
