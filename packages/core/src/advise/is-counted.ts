import { FAILURE_TYPES } from '../internal/failure-types.ts';
import type { Classification } from './classification.ts';

/**
 * Whether a call counts as a failure of its tool. A red test run does not: the tool worked, the code is red.
 * What was denied or taken back never does.
 */
export function isCounted({ status, type }: Classification): boolean {
  if (status !== 'failure' || type === undefined) return false;
  return type !== 'check_failed' && !FAILURE_TYPES[type].isNeutral;
}

/** Whether a call said nothing about its tool, because it was denied or taken back. */
export function isNoOutcome({ type }: Classification): boolean {
  return type !== undefined && FAILURE_TYPES[type].isNeutral;
}
