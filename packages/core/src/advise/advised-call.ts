import type { JsonObject } from '../types.ts';

/** A call as the advisor has to know it. */
export interface AdvisedCall {
  readonly tool: string;
  readonly arguments?: JsonObject;
  /** Pairs `before` with `after` where equal calls run at the same time. */
  readonly id?: string;
  /**
   * The same for all calls of one answer of the model: they count as one step.
   * @defaultValue told from the order of `before` and `after`: what begins before anything ends is one round
   */
  readonly round?: string | number;
}
