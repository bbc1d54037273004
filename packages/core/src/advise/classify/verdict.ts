import { FAILURE_TYPES } from '../../internal/failure-types.ts';
import type { FailureType } from '../../internal/failure-types.ts';
import type { Classification } from '../classification.ts';

const MAX_EVIDENCE = 200;

const CONTROLS =
  /[\0-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e01ef}]+/gu;

/** A failure, or a neutral end where the type is one that never counts. */
export function failure(type: FailureType, confidence: number, line = ''): Classification {
  const { parent, retryable, isNeutral } = FAILURE_TYPES[type];
  const evidence = line
    .slice(0, 2 * MAX_EVIDENCE)
    .replace(CONTROLS, ' ')
    .trim();
  return {
    status: isNeutral ? 'neutral' : 'failure',
    type,
    parent,
    confidence,
    evidence: evidence.slice(0, MAX_EVIDENCE),
    retryable,
  };
}

/** It worked. */
export function success(confidence: number): Classification {
  return { ...UNKNOWN, status: 'success', confidence };
}

/** Nothing says how it went. */
export const UNKNOWN: Classification = Object.freeze({
  status: 'unknown',
  type: undefined,
  parent: undefined,
  confidence: 0,
  evidence: '',
  retryable: false,
});
