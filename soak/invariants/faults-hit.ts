import type { FaultRecord } from '../faults/run-fault.ts';
import type { Violations } from './violations.ts';

/** A fault may come at a moment at which nobody notices; so often in a row it may not. */
const OFTEN = 3;

/** Every kind of fault that came often enough has hit something: a run in which nothing breaks shows nothing. */
export function checkFaultsHit(records: readonly FaultRecord[], violations: Violations): void {
  for (const kind of new Set(records.map((record) => record.kind))) {
    const all = records.filter((record) => record.kind === kind);
    if (all.length < OFTEN) continue;
    const hasHit = all.some(({ hits }) => hits > 0);
    violations.check(
      'faults-hit',
      hasHit,
      () => `${kind} came ${all.length} times and hit nothing`,
    );
  }
}
