import { describe, expect, it } from 'vitest';
import { CIRCUIT_RULES } from '../../internal/circuit-machine.ts';
import type { CircuitReport } from './circuit-store.ts';
import { FleetCounts } from './fleet-counts.ts';

const RULES = {
  ...CIRCUIT_RULES,
  consecutiveFailures: 5,
  failureRatio: 0.5,
  slowCallRatio: 0.5,
  windowMs: 1000,
  minCalls: 10,
};

function reportOf(report: Partial<CircuitReport> = {}): CircuitReport {
  return {
    replica: 'a',
    rules: RULES,
    scope: 'fleet',
    calls: 0,
    failures: 0,
    slow: 0,
    trailingFailures: 0,
    version: 0,
    tokensTaken: 0,
    tokensGained: 0,
    tokenCapacity: 100,
    ...report,
  };
}

/** Counts a report and asks whether the fleet opens by it. */
function told(counts: FleetCounts, report: Partial<CircuitReport>, now = 0): string | undefined {
  const whole = reportOf(report);
  counts.add(whole, now);
  return counts.tripReason(whole, now);
}

describe('what a fleet counted', () => {
  it('is summed up over the window, and forgotten behind it', () => {
    const counts = new FleetCounts();
    counts.add(reportOf({ calls: 3, failures: 2, slow: 1 }), 0);
    counts.add(reportOf({ calls: 1, failures: 1 }), 500);
    expect(counts.sumsAt(999)).toEqual({ calls: 4, failures: 3, slow: 1 });
    expect(counts.sumsAt(1000)).toEqual({ calls: 1, failures: 1, slow: 0 });
    expect(counts.sumsAt(1500)).toEqual({ calls: 0, failures: 0, slow: 0 });
  });

  it('is begun anew where the window has another length', () => {
    const counts = new FleetCounts();
    counts.add(reportOf({ calls: 3 }), 0);
    counts.add(reportOf({ calls: 1, rules: { ...RULES, windowMs: 2000 } }), 0);
    expect(counts.sumsAt(0).calls).toBe(1);
  });

  it('opens it when half of enough calls failed, not a call before', () => {
    const counts = new FleetCounts();
    expect(told(counts, { calls: 9, failures: 4 })).toBeUndefined();
    expect(told(counts, { calls: 1, failures: 1, trailingFailures: 1 })).toBe(
      'failure_ratio_exceeded',
    );
  });

  it('opens it when half of enough calls were slow', () => {
    const counts = new FleetCounts();
    expect(told(counts, { calls: 10, slow: 4 })).toBeUndefined();
    expect(told(counts, { calls: 2, slow: 2 })).toBe('slow_ratio_exceeded');
  });

  it('opens it after failures in a row, where at least half of all calls fail', () => {
    const counts = new FleetCounts();
    expect(told(counts, { calls: 4, failures: 4, trailingFailures: 4 })).toBeUndefined();
    expect(told(counts, { calls: 1, failures: 1, trailingFailures: 1 })).toBe(
      'failure_threshold_exceeded',
    );
    const healthy = new FleetCounts();
    const rules = { ...RULES, failureRatio: 0.9, minCalls: 100 };
    expect(told(healthy, { calls: 6, failures: 0, rules })).toBeUndefined();
    expect(told(healthy, { calls: 5, failures: 5, rules })).toBeUndefined();
    expect(told(healthy, { calls: 1, failures: 1, rules })).toBe('failure_threshold_exceeded');
  });

  it('says nothing where nothing is reported', () => {
    const counts = new FleetCounts();
    counts.add(reportOf({ calls: 20, failures: 20, trailingFailures: 20 }), 0);
    expect(told(counts, {})).toBeUndefined();
    expect(told(counts, { trip: 'retry_after' })).toBe('failure_ratio_exceeded');
  });
});

describe('replicas whose own gates opened', () => {
  const trip = 'retry_after';

  /** Of so many callers so many have tripped, one after the other. */
  function fleet(callers: number, tripped: number): FleetCounts {
    const counts = new FleetCounts();
    for (let at = 0; at < callers; at++) counts.add(reportOf({ replica: `r${at}`, calls: 1 }), 0);
    for (let at = 0; at < tripped; at++) counts.tripped(`r${at}`, 100, 0);
    return counts;
  }

  it.each([
    [1, 1, undefined],
    [2, 1, undefined],
    [2, 2, trip],
    [4, 2, trip],
    [5, 2, undefined],
    [64, 32, trip],
    [65, 33, undefined],
  ])('of %d callers, %d: the fleet follows %s', (callers, tripped, reason) => {
    expect(fleet(callers, tripped).tripReason(reportOf({ trip }), 0)).toBe(reason);
  });

  it('count while they are open, and their callers while the window lasts', () => {
    expect(fleet(4, 2).tripReason(reportOf({ trip }), 99)).toBe(trip);
    expect(fleet(4, 2).tripReason(reportOf({ trip }), 100)).toBeUndefined();
    const counts = fleet(5, 0);
    counts.add(reportOf({ replica: 'late', calls: 1 }), 1000);
    for (const replica of ['x', 'y']) counts.tripped(replica, 100, 1000);
    expect(counts.tripReason(reportOf({ trip }), 1000)).toBe(trip);
  });

  it('are held against those who call, not against all who report', () => {
    const counts = fleet(2, 2);
    for (const replica of ['x', 'y', 'z']) counts.add(reportOf({ replica }), 0);

    expect(counts.tripReason(reportOf({ trip }), 0)).toBe(trip);
  });

  it('count though a great many had opened before', () => {
    const counts = new FleetCounts();
    for (let at = 0; at < 70; at++) counts.tripped(`r${at}`, 100, 0);
    for (const replica of ['x', 'y']) counts.tripped(replica, 100, 5000);
    counts.add(reportOf({ calls: 10, replica: 'x' }), 5000);

    expect(counts.tripReason(reportOf({ trip }), 5000)).toBe(trip);
  });
});
