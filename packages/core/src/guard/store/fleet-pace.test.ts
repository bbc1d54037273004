import { describe, expect, it } from 'vitest';
import { fail, succeed } from '../breaker/breaker-under-test.case.ts';
import { fleetWith } from './fleet-under-test.case.ts';
import type { Replica } from './fleet-under-test.case.ts';

/** When each report of a circuit was sent. */
const reportsOf = ({ store }: Replica, circuit = 'search'): number[] =>
  store.asked
    .filter((one) => one.operation === 'report' && one.circuit === circuit)
    .map(({ at }) => at);

const gapsOf = (times: readonly number[]): number[] =>
  times.slice(1).map((at, index) => at - times[index]!);

describe('what is told to the store', () => {
  it('is as much for a hundred thousand calls a second as for ten', async () => {
    const counts = [];
    for (const callsPerTick of [1, 10_000]) {
      const { replicas, clock, circuits } = fleetWith({ replicas: 1 });
      for (let tick = 0; tick < 100; tick++) {
        succeed(circuits[0]!, callsPerTick);
        await clock.advance(100);
      }
      counts.push(replicas[0]!.store.asked.length);
    }

    expect(counts[0]).toBe(counts[1]);
    // Ten seconds of one active circuit, with the beats of the heart.
    expect(counts[1]).toBeLessThan(10 * 10);
    expect(counts[1]).toBeGreaterThan(10);
  });

  it('has every call that was counted', async () => {
    const { replicas, clock, circuits } = fleetWith({
      replicas: 2,
      options: { windowMs: 600_000 },
    });
    for (let tick = 0; tick < 50; tick++) {
      for (const circuit of circuits) succeed(circuit, 7);
      await clock.advance(90);
    }
    await clock.advance(3000);
    succeed(circuits[0]!);
    await clock.advance(3000);

    expect(replicas[0]!.fleet.status().circuits[0]!.shared?.calls).toBe(50 * 7 * 2 + 1);
  });

  it('comes every 250 to 1000 ms, never twice at the same pace', async () => {
    const { replicas, clock, circuits } = fleetWith({ replicas: 1 });
    for (let tick = 0; tick < 3000; tick++) {
      succeed(circuits[0]!);
      await clock.advance(10);
    }

    const gaps = gapsOf(reportsOf(replicas[0]!).slice(1));
    expect(gaps.length).toBeGreaterThan(30);
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(250);
    expect(Math.max(...gaps)).toBeLessThanOrEqual(1000);
    expect(new Set(gaps).size).toBeGreaterThan(20);
  });

  it('comes at once when a circuit opens, and when a call comes after a while', async () => {
    const { replicas, clock, circuits } = fleetWith({ replicas: 1 });
    await clock.advance(10_000);
    expect(reportsOf(replicas[0]!)).toEqual([]);
    circuits[0]!.acquire();
    await clock.advance(0);
    expect(reportsOf(replicas[0]!)).toEqual([10_000]);
    await clock.advance(130);
    fail(circuits[0]!, 5);
    await clock.advance(0);

    expect(reportsOf(replicas[0]!)).toEqual([10_000, 10_130]);
  });

  it('is nothing where nobody calls', async () => {
    const { replicas, clock, circuits } = fleetWith({ replicas: 1 });
    succeed(circuits[0]!);
    await clock.advance(3000);
    const before = replicas[0]!.store.countOf('report');
    await clock.advance(600_000);

    expect(replicas[0]!.store.countOf('report')).toBe(before);
    expect(replicas[0]!.store.countOf('join')).toBeGreaterThan(100);
  });

  it('is one timer, however many circuits there are', async () => {
    const { replicas, clock } = fleetWith({ replicas: 1 });
    const { circuits } = replicas[0]!;
    for (let tool = 0; tool < 500; tool++) succeed(circuits.get(`tool-${tool}`));
    await clock.advance(5);

    // The fleet's, and that of everything that has a deadline.
    expect(clock.pendingTimers).toBeLessThanOrEqual(2);
  });

  it('asks for what is not closed once a second', async () => {
    const { replicas, clock, circuits } = fleetWith({ replicas: 1 });
    circuits[0]!.isolate('under repair');
    await clock.advance(60_000);

    const gaps = gapsOf(reportsOf(replicas[0]!));
    expect(gaps.length).toBeGreaterThan(50);
    expect(gaps.length).toBeLessThan(70);
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(750);
    expect(Math.max(...gaps)).toBeLessThanOrEqual(1250);
  });

  it('comes less often where many replicas have many circuits', async () => {
    const { replicas, clock } = fleetWith({
      replicas: 10,
      fleet: { maxCommandsPerSecond: 200 },
    });
    await clock.advance(12_000);
    const before = replicas.map(({ store }) => store.countOf('report'));
    for (let second = 0; second < 60; second++) {
      for (const { circuits } of replicas)
        for (let tool = 0; tool < 100; tool++) succeed(circuits.get(`tool-${tool}`));
      await clock.advance(1000);
    }
    const told = replicas.map(({ store }, at) => store.countOf('report') - before[at]!);
    const total = told.reduce((sum, count) => sum + count, 0);
    const first = replicas.length * 100;

    // The first time, nobody knows yet how many there are.
    expect((total - first) / 60).toBeLessThanOrEqual(200 * 1.1);
    expect(total / 60).toBeGreaterThan(100);
  });

  it('comes no faster than it may when a store is back that has lost everything', async () => {
    const { replicas, clock, store } = fleetWith({
      replicas: 40,
      fleet: { maxCommandsPerSecond: 200 },
    });
    const callFor = async (seconds: number): Promise<void> => {
      for (let second = 0; second < seconds; second++) {
        for (const { circuits } of replicas)
          for (let tool = 0; tool < 25; tool++) succeed(circuits.get(`tool-${tool}`));
        await clock.advance(1000);
      }
    };
    await callFor(20);
    for (const replica of replicas) replica.store.fault = 'reject';
    await callFor(10);
    store.clear();
    for (const replica of replicas) replica.store.fault = undefined;
    const backAt = clock.now();
    await callFor(10);
    const told = replicas.flatMap((replica) =>
      replica.store.asked.filter(({ operation, at }) => operation === 'report' && at >= backAt),
    );
    const perSecond = Array.from(
      { length: 10 },
      (_, second) => told.filter(({ at }) => Math.floor((at - backAt) / 1000) === second).length,
    );

    expect(replicas.map(({ fleet }) => fleet.status().isDegraded)).not.toContain(true);
    expect(told.length / 10).toBeGreaterThan(100);
    expect(told.length / 10).toBeLessThanOrEqual(200 * 1.1);
    // When each is told is left to chance.
    expect(Math.max(...perSecond)).toBeLessThanOrEqual(200 * 1.5);
  });

  it('is one report of a circuit at a time', async () => {
    const { replicas, clock, circuits } = fleetWith({ replicas: 1 });
    const { store } = replicas[0]!;
    store.delayMs = () => 200;
    let most = 0;
    for (let tick = 0; tick < 200; tick++) {
      succeed(circuits[0]!);
      await clock.advance(30);
      most = Math.max(most, store.pending);
    }

    // One report, and now and then a beat of the heart.
    expect(most).toBeLessThanOrEqual(2);
  });
});
