import { describe, expect, it } from 'vitest';
import { fail } from '../breaker/breaker-under-test.case.ts';
import { fleetWith } from './fleet-under-test.case.ts';

describe('the status of a fleet', () => {
  it('tells of the replica, of the others and of every circuit', async () => {
    const { circuits, replicas, hear } = fleetWith();
    expect(replicas[0]!.fleet.status().circuits[0]).toEqual({
      name: 'search',
      state: 'closed',
      shared: undefined,
    });
    fail(circuits[0]!, 5);
    await hear();

    expect(replicas[0]!.fleet.status()).toMatchObject({
      replica: 'r0',
      isDegraded: false,
      reason: undefined,
      circuits: [{ name: 'search', state: 'open', shared: { state: 'open', replica: 'r0' } }],
    });
  });

  it('counts the replicas as they come and go', async () => {
    const { replicas, clock } = fleetWith({ replicas: 4 });
    await clock.advance(6000);
    expect(replicas[0]!.fleet.status().replicas).toBe(4);
    replicas[3]!.store.fault = 'silent';
    const closing = replicas[2]!.fleet.close();
    await clock.advance(30_000);
    await closing;

    expect(replicas[0]!.fleet.status().replicas).toBe(2);
  });

  it('asks no more for a circuit that its registry forgot while it was open', async () => {
    const { replicas, circuits, clock } = fleetWith({ replicas: 1 });
    const { store } = replicas[0]!;
    store.delayMs = () => 20;
    fail(circuits[0]!, 5);
    await clock.advance(30);
    replicas[0]!.circuits.clear();
    const { length } = store.asked.filter(({ operation }) => operation === 'report');
    await clock.advance(30_000);

    expect(store.countOf('report')).toBe(length);
  });

  it('forgets circuits that their registry forgets, and knows them again', async () => {
    const { replicas, circuits, clock } = fleetWith({ replicas: 1 });
    replicas[0]!.circuits.clear();
    expect(replicas[0]!.fleet.status().circuits).toEqual([]);
    fail(circuits[0]!, 5);
    await clock.advance(2000);

    expect(replicas[0]!.fleet.status().circuits).toMatchObject([{ shared: { state: 'open' } }]);
  });
});
