import { runOutcome } from './run-outcome.ts';
import type { Difference } from './run-tool-call.ts';
import type { OutcomeVector } from './vector.ts';

/** The outcomes of one file: how often a failure is seen, and its type told right. */
export interface OutcomeTally {
  readonly source: string;
  readonly kind: string;
  count: number;
  failures: number;
  /** Called a failure, and it is one. */
  hits: number;
  /** Called a failure, and it is none. */
  falseAlarms: number;
  parents: number;
  types: number;
  readonly differences: Difference[];
}

/** Tallies of a file: with all that the host says, and with the text alone. */
export function newOutcomeTallies(source: string): readonly OutcomeTally[] {
  const none = { count: 0, failures: 0, hits: 0, falseAlarms: 0, parents: 0, types: 0 };
  return ['outcome', 'outcome, text only'].map((kind) => ({
    source,
    kind,
    ...none,
    differences: [],
  }));
}

export function addOutcomeVector(tallies: readonly OutcomeTally[], vector: OutcomeVector): void {
  for (const [at, tally] of tallies.entries()) {
    const outcome = runOutcome(vector, at === 1);
    tally.count++;
    tally.failures += Number(outcome.isFailure);
    tally.hits += Number(outcome.isFailure && outcome.isCalledFailure);
    tally.falseAlarms += Number(!outcome.isFailure && outcome.isCalledFailure);
    tally.parents += Number(outcome.isParentRight);
    tally.types += Number(outcome.isTypeRight);
    // That text alone says less is no fault; that it says something wrong is.
    const isSilence = at === 1 && outcome.isFailure && !outcome.isCalledFailure;
    if (outcome.difference !== undefined && !isSilence) tally.differences.push(outcome.difference);
  }
}
