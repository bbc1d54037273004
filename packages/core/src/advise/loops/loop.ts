import type { AdviceRule } from '../advice.ts';

/** A repetition that was found. */
export interface Loop {
  readonly rule: AdviceRule;
  /** Calls, or laps of a cycle. */
  readonly times: number;
  /** Hash of what repeats, to say it once. */
  readonly about: string;
  /** How many steps a cycle has; 1 for anything else. */
  readonly period: number;
  /** The tools that take part, each once. */
  readonly tools: readonly string[];
}
