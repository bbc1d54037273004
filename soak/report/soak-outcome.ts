import type { FaultRecord } from '../faults/run-fault.ts';
import type { Sample } from '../invariants/flat.ts';
import type { InvariantSummary, Violation } from '../invariants/violations.ts';
import type { Tally } from '../world/tally.ts';

/** What a run came to: what is kept of it as JSON. */
export interface SoakOutcome {
  readonly seed: number;
  readonly minutes: number;
  readonly rate: number;
  readonly seconds: number;
  /** How the disk of the history was made full. */
  readonly diskFull: string;
  /** Faults that could not be done here, and why. */
  readonly leftOut: readonly string[];
  /** What clients came for. */
  readonly acts: number;
  /** Requests that were answered, and connections that were broken for want of file descriptors. */
  readonly answers: number;
  readonly turnedAway: number;
  /** The most requests that were open at once. */
  readonly mostOpen: number;
  readonly turns: Tally['turns'];
  readonly toldCalls: number;
  readonly calls: Tally['calls'];
  readonly effects: { readonly ran: number; readonly repeated: number };
  readonly events: readonly { readonly events: number; readonly lost: number }[];
  readonly faults: readonly FaultRecord[];
  readonly samples: readonly Sample[];
  readonly invariants: readonly InvariantSummary[];
  readonly violations: readonly Violation[];
}
