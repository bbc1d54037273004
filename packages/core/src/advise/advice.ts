import type { Classification } from './classification.ts';

/** Why the advisor speaks. */
export type AdviceRule =
  /** A tool failed several times in a row. */
  | 'tool-failures'
  /** It failed with the same error, whatever the arguments. */
  | 'same-error'
  /** The same call failed again, and nothing has changed since. */
  | 'same-call'
  /** The same call gave the same result again and again. */
  | 'no-progress'
  /** A few calls go round in a circle. */
  | 'cycle'
  /** There is no such tool. */
  | 'unknown-tool'
  /** Half of the last calls failed. */
  | 'step-back'
  /** The call was vetoed as often as it may be; now only the user can help. */
  | 'ask-the-user';

/** One thing that is said, at most 60 words. */
export interface AdvicePart {
  readonly rule: AdviceRule;
  readonly text: string;
}

/** What the model should be told. */
export interface Advice {
  /** For the model: `⚠️ Tool guidance: …`. Tool advice comes first, then the step-back. */
  readonly text: string;
  readonly parts: readonly AdvicePart[];
  /** For the log, on one line: `[Fallback] …`. */
  readonly log: string;
}

/** Why a call should not run. */
export interface Veto {
  readonly rule: AdviceRule;
  /** What to answer the model in place of a result. */
  readonly text: string;
  readonly log: string;
}

/** What is to be done before a call. Both are undefined most of the time. */
export interface BeforeAdvice {
  readonly veto?: Veto;
  readonly advice?: Advice;
}

/** What became of a call, and what the model should hear about it. */
export interface AfterAdvice {
  readonly classification: Classification;
  readonly advice?: Advice;
}
