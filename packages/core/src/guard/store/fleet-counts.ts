import type { TransitionReason } from '../../internal/circuit-machine.ts';
import type { CircuitReport } from './circuit-store.ts';

/** Into how many slices the window is cut; those of a store are fewer than a circuit's own, as each is sent. */
const SLICES = 10;
/** Beyond so many replicas nobody keeps track who is among them, and only the shares open the circuit. */
const MOST_REPORTERS = 64;
/** The share of failures that has to agree with a row of them where no other is asked for. */
const AGREEMENT = 0.5;

interface Slice {
  calls: number;
  failures: number;
  slow: number;
}

/** What the replicas of a fleet counted since the last transition of a circuit. Times are those of the store. */
export class FleetCounts {
  /** Failures in a row, in the order in which they were reported. */
  #row = 0;
  #sliceMs = 0;
  readonly #slices = new Map<number, Slice>();
  /** When a replica last reported calls. */
  readonly #reporters = new Map<string, number>();
  /** Until when a replica's own gate is open. */
  readonly #tripped = new Map<string, number>();

  add(report: CircuitReport, now: number): void {
    const { calls, failures, slow, trailingFailures } = report;
    const { windowMs } = report.rules;
    this.#cut(windowMs / SLICES);
    this.#row = calls > failures ? trailingFailures : this.#row + failures;
    if (calls === 0) return;
    const at = this.#sliceAt(now);
    const before = this.#slices.get(at) ?? { calls: 0, failures: 0, slow: 0 };
    this.#slices.set(at, {
      calls: before.calls + calls,
      failures: before.failures + failures,
      slow: before.slow + slow,
    });
    forget(this.#reporters, now - windowMs);
    note(this.#reporters, report.replica, now);
  }

  /** A replica's own gate has opened. */
  tripped(replica: string, forMs: number, now: number): void {
    forget(this.#tripped, now);
    note(this.#tripped, replica, now + forMs);
  }

  sumsAt(now: number): Readonly<Slice> {
    const sums = { calls: 0, failures: 0, slow: 0 };
    const oldest = this.#sliceAt(now) - SLICES;
    for (const [at, slice] of this.#slices) {
      if (at <= oldest) {
        this.#slices.delete(at);
        continue;
      }
      sums.calls += slice.calls;
      sums.failures += slice.failures;
      sums.slow += slice.slow;
    }
    return sums;
  }

  /** Why the whole fleet should open by what it counted, if it should. */
  tripReason({ rules, trip, calls: reported }: CircuitReport, now: number): TripReason {
    if (reported === 0 && trip === undefined) return undefined;
    const { calls, failures, slow } = this.sumsAt(now);
    if (calls >= rules.minCalls) {
      if (failures / calls >= rules.failureRatio) return 'failure_ratio_exceeded';
      if (slow / calls >= rules.slowCallRatio) return 'slow_ratio_exceeded';
    }
    // One sick replica among healthy ones has its rows too: most of what the fleet sees has to fail.
    const isAgreed = calls > 0 && failures / calls >= Math.min(rules.failureRatio, AGREEMENT);
    if (isAgreed && this.#row >= rules.consecutiveFailures) return 'failure_threshold_exceeded';
    return isAgreed || this.#isQuorum(now) ? trip : undefined;
  }

  /** Whether at least two gates are open, and they are at least half of those who call. */
  #isQuorum(now: number): boolean {
    forget(this.#tripped, now);
    const { size } = this.#tripped;
    const callers = new Set([...this.#reporters.keys(), ...this.#tripped.keys()]).size;
    return size >= 2 && size * 2 >= callers && callers <= MOST_REPORTERS;
  }

  /** What was counted over another stretch of time cannot be compared. */
  #cut(sliceMs: number): void {
    if (sliceMs === this.#sliceMs) return;
    this.#sliceMs = sliceMs;
    this.#slices.clear();
  }

  #sliceAt(now: number): number {
    return Math.floor(now / this.#sliceMs);
  }
}

type TripReason = TransitionReason | undefined;

/** Puts a replica down. Of too many only those are known who came first, and they stay as long as they report. */
function note(times: Map<string, number>, replica: string, at: number): void {
  if (times.has(replica) || times.size <= MOST_REPORTERS) times.set(replica, at);
}

/** Drops what is no later than `now`. */
function forget(times: Map<string, number>, now: number): void {
  for (const [name, at] of times) if (at <= now) times.delete(name);
}
