import type { InProcessOutcome } from '../calls/run-in-process.ts';
import type { ThroughGatewayOutcome } from '../calls/run-through-gateway.ts';
import type { InvariantSummary, Violation } from '../invariants/violations.ts';

/** What a run of many calls came to: what is kept of it as JSON. */
export interface CallsOutcome {
  readonly seed: number;
  readonly inProcess: InProcessOutcome;
  readonly throughGateway: ThroughGatewayOutcome;
  readonly invariants: readonly InvariantSummary[];
  readonly violations: readonly Violation[];
}
