import type { CallsPart } from '../calls/run-calls.ts';
import type { Sample } from '../invariants/flat.ts';
import type { InvariantSummary, Violation } from '../invariants/violations.ts';

/** What many calls came to, wherever they were made. */
export interface CallsMade {
  readonly calls: number;
  readonly turns: number;
  readonly seconds: number;
  readonly ok: number;
  readonly failed: number;
  readonly refused: number;
  readonly samples: readonly Sample[];
}

/** What a run of many calls came to: what is kept of it as JSON. */
export interface CallsOutcome extends CallsMade {
  readonly seed: number;
  readonly part: CallsPart;
  readonly invariants: readonly InvariantSummary[];
  readonly violations: readonly Violation[];
}
