import { describe, expect, it } from 'vitest';
import { CircuitRecord } from './circuit-record.ts';
import { report, rules } from './circuit-store-suite.case.ts';

const NOW = 1_000_000;
const DAY_MS = 86_400_000;

function isolated(forMs: number): CircuitRecord {
  const record = new CircuitRecord(1);
  record.override({ type: 'isolate', replica: 'a', note: 'under repair', forMs }, NOW);
  return record;
}

function halfOpen(): CircuitRecord {
  const record = isolated(0);
  record.moveTo(NOW);
  return record;
}

const lease = (
  token: string,
  ttlMs: number,
  probes = 1,
): Parameters<CircuitRecord['lease']>[0] => ({
  replica: 'a',
  token,
  ttlMs,
  rules: rules({ probes, windowMs: 0 }),
});

const settlement = { replica: 'a', outcome: 'success', rules: rules() } as const;

describe('the record of a circuit', () => {
  it('is half-open the moment that its open time is over', () => {
    const record = isolated(5000);
    record.moveTo(NOW + 4999);
    expect(record.sharedAt(NOW + 4999)).toMatchObject({ state: 'open', openForMs: 1 });
    record.moveTo(NOW + 5000);

    expect(record.sharedAt(NOW + 5000)).toMatchObject({
      state: 'half-open',
      reason: 'recovery_timeout_expired',
    });
  });

  it('counts what a replica tells that has seen no version yet, and nothing of an old one', () => {
    const record = new CircuitRecord(7);
    record.report(report({ calls: 2, version: 0 }), NOW);
    record.report(report({ calls: 4, version: 6 }), NOW);
    record.report(report({ calls: 8, version: 7 }), NOW);

    expect(record.sharedAt(NOW).calls).toBe(10);
  });

  it('gives a place away the moment that its lease is over', () => {
    const record = halfOpen();
    expect(record.lease(lease('one', 1000), NOW)).toBe(true);
    expect(record.lease(lease('two', 1000), NOW + 999)).toBe(false);
    record.settle({ ...settlement, token: 'one' }, NOW + 1000);
    expect(record.state).toBe('half-open');

    expect(record.lease(lease('two', 1000), NOW + 1000)).toBe(true);
  });

  it('tells how long it is until a place is free, of as many as there are', () => {
    const record = halfOpen();
    record.lease(lease('one', 3000, 2), NOW);
    const inMs = (at: number, probes: number): number =>
      record.sharedAt(NOW + at, rules({ probes })).probeInMs;
    expect([inMs(500, 1), inMs(500, 2)]).toEqual([2500, 0]);
    expect(record.sharedAt(NOW + 500).probeInMs).toBe(2500);
    record.lease(lease('two', 1000, 2), NOW + 500);
    expect(inMs(700, 2)).toBe(800);

    expect([inMs(1500, 2), inMs(3000, 1)]).toEqual([0, 0]);
  });

  it('is kept for thirty days while it is isolated for good, and no longer once it is not', () => {
    const record = isolated(Infinity);
    expect(record.keptForMs(NOW)).toBe(30 * DAY_MS);
    record.override({ type: 'reset', replica: 'a' }, NOW);

    expect(record.keptForMs(NOW)).toBe(600_000);
  });

  it('is kept for ten minutes beyond what it promises', () => {
    expect(isolated(5000).keptForMs(NOW + 1000)).toBe(4000 + 600_000);
    const record = halfOpen();
    record.lease(lease('one', 3000, 2), NOW);
    record.lease(lease('two', 2000, 2), NOW);

    expect(record.keptForMs(NOW + 500)).toBe(2500 + 600_000);
  });
});
