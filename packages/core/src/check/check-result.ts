import type { JsonObject, Repair } from '../types.ts';
import type { CheckIssue } from './check-issue.ts';

/** What can be checked: a call that was read, or one that an API returned. */
export interface CheckableCall {
  readonly name: string;
  readonly arguments: JsonObject;
  /** JSON text of `arguments` as the model wrote it. */
  readonly argumentsText?: string;
  readonly repairs?: readonly Repair[];
}

/** Something that was set right because only one thing could be meant. */
export interface CheckRepair {
  readonly repair: Repair;
  /** Where in the arguments it was; empty for the call as a whole. */
  readonly path: readonly (string | number)[];
  /** What was changed, for people. */
  readonly message: string;
}

/** A call that may be run, or what is wrong with it. */
export type CheckResult<Call extends CheckableCall = CheckableCall> =
  | {
      readonly ok: true;
      /** The call as it may be run: the same object when nothing had to be set right. */
      readonly call: Call;
      readonly repairs: readonly CheckRepair[];
      /** What could not be checked: keywords of the schema that are not supported. */
      readonly warnings: readonly CheckIssue[];
    }
  | {
      readonly ok: false;
      readonly issues: readonly CheckIssue[];
      /** All issues as one text for the model. */
      readonly message: string;
      readonly warnings: readonly CheckIssue[];
    };
