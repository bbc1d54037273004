import { classify, FAILURE_TYPES } from '@holdfast/core/advise';
import type { FailureType, ToolResult } from '@holdfast/core/advise';
import type { Difference } from './run-tool-call.ts';
import type { OutcomeVector } from './vector.ts';

/** What was made of one outcome, for precision, recall and types. */
export interface Outcome {
  readonly isFailure: boolean;
  readonly isCalledFailure: boolean;
  /** Whether the parent of the type is right; of failures only. */
  readonly isParentRight: boolean;
  readonly isTypeRight: boolean;
  readonly difference?: Difference;
}

/** Classifies an outcome; with `textOnly`, without the flag and the exit code of the host. */
export function runOutcome({ id, result, label }: OutcomeVector, textOnly: boolean): Outcome {
  const { tool, output = '' } = result;
  const given: ToolResult = textOnly ? { tool, output } : result;
  const { status, type, parent } = classify(given);
  const rule = isFailureType(label) ? FAILURE_TYPES[label] : undefined;
  const isFailure = rule !== undefined && !rule.isNeutral;
  const isCalledFailure = status === 'failure';
  const isParentRight = isFailure && isCalledFailure && parent === rule.parent;
  const isTypeRight = isFailure && isCalledFailure && type === label;
  const isRight = isFailure ? isParentRight : !isCalledFailure;
  const got = `${status}${type === undefined ? '' : ` ${type}`}: ${output.slice(0, 60)}`;
  const difference = { id, what: 'outcome', expected: label, got };
  const counts = { isFailure, isCalledFailure, isParentRight, isTypeRight };
  return isRight ? counts : { ...counts, difference };
}

function isFailureType(label: string): label is FailureType {
  return Object.hasOwn(FAILURE_TYPES, label);
}
