import { parseJson } from '@holdfast/core/parse';
import { matches } from './matches.ts';
import type { Difference } from './run-tool-call.ts';
import type { JsonVector } from './vector.ts';

export interface JsonOutcome {
  /** `wrong` is the worst: a value that looks right and is not. */
  readonly verdict: 'exact' | 'wrong' | 'refused';
  readonly difference?: Difference;
}

export function runJson(vector: JsonVector): JsonOutcome {
  const { id, input, accepted, isTruncated } = vector;
  const result = parseJson(input, { expect: vector.expectsCall ? 'call' : 'value' });
  if (!result.ok) {
    if (accepted.length === 0) return { verdict: 'exact' };
    const difference = { id, what: 'refused', expected: accepted[0], got: result.message };
    return { verdict: 'refused', difference };
  }
  const isExact = accepted.some((expected) => matches(expected, result.value));
  if (isExact && !(isTruncated && result.complete)) return { verdict: 'exact' };
  const what = isExact ? 'not marked incomplete' : 'value';
  return { verdict: 'wrong', difference: { id, what, expected: accepted[0], got: result.value } };
}
