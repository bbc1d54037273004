import type { Classification, FailureType } from './classification.ts';

/** A call that ended, as loops are found in it. Arguments and results are there as hashes only. */
export interface RecentCall {
  readonly tool: string;
  /** Hash of tool and arguments. */
  readonly call: string;
  /** Hash of the result; '' when nothing is known of it. */
  readonly result: string;
  /** Hash of the error; '' unless it is a failure that counts. */
  readonly error: string;
  readonly status: Classification['status'];
  readonly type: FailureType | null;
  /** The step of the conversation; parallel calls share one. */
  readonly round: number;
  /** Whether something is different since, so that what failed before is worth another try. */
  readonly changed: boolean;
  /** Whether it only looked, with a tool that does many things: its success says nothing of the others. */
  readonly looked: boolean;
  readonly mayRepeat: boolean;
  /** Whether the classification is sure enough to stop a call for it. */
  readonly isSure: boolean;
}
