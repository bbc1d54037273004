import { describe, expect, it } from 'vitest';
import { ManualClock } from '../../testing/manual-clock.ts';
import { permitOf, succeed } from '../breaker/breaker-under-test.case.ts';
import { CircuitFleet } from './circuit-fleet.ts';
import { fleetWith } from './fleet-under-test.case.ts';
import type { FleetUnderTest, Replica } from './fleet-under-test.case.ts';
import { MemoryCircuitStore } from './memory-circuit-store.ts';

/** When each report of a circuit was sent. */
const reportsOf = ({ store }: Replica, circuit = 'search'): number[] =>
  store.asked
    .filter((one) => one.operation === 'report' && one.circuit === circuit)
    .map(({ at }) => at);

/** One replica to which chance gives the least that there is. */
function alone(fleet: object = {}): FleetUnderTest & { replica: Replica } {
  const random = (): number => 0;
  const under = fleetWith({
    replicas: 1,
    fleet: { random, flushMs: [1000, 5000], heartbeatMs: 600_000, ...fleet },
  });
  return { ...under, replica: under.replicas[0]! };
}

describe('when the circuits of a fleet tell what they counted', () => {
  it('is an interval after the first call, where it was not long since they did', async () => {
    const { replica, clock } = alone();
    await clock.advance(20_000);
    succeed(replica.circuit);
    await clock.advance(2500);
    succeed(replica.circuit);
    await clock.advance(3000);

    expect(reportsOf(replica)).toEqual([20_000, 23_500]);
  });

  it('is not put off by another that has its first call at that moment', async () => {
    const { replica, clock } = alone();
    await clock.advance(20_000);
    succeed(replica.circuit);
    await clock.advance(500);
    succeed(replica.circuit);
    clock.skip(500);
    succeed(replica.circuits.get('other'));
    await clock.advance(0);

    expect(reportsOf(replica)).toEqual([20_000, 21_000]);
  });

  it('is no sooner for a beat of the heart', async () => {
    const { replica, clock } = alone({ flushMs: [1000, 1000], heartbeatMs: 5000 });
    await clock.advance(3750 + 500);
    succeed(replica.circuit);
    await clock.advance(50);
    succeed(replica.circuit);
    await clock.advance(3000);

    expect(replica.store.askedFor('join').map(({ at }) => at)).toEqual([0, 3750]);
    expect(reportsOf(replica)).toEqual([4250, 5250]);
  });

  it('is at least 10 ms after others did, however much is urgent', async () => {
    const { replica, clock } = alone();
    await clock.advance(20_000);
    succeed(replica.circuit);
    await clock.advance(1);
    succeed(replica.circuits.get('other'));
    await clock.advance(50);

    expect(reportsOf(replica, 'other')).toEqual([20_010]);
  });

  it('is soon after a store is back, though the heart beats seldom', async () => {
    const { replica, clock } = alone({ flushMs: [1000, 1000] });
    succeed(replica.circuit);
    await clock.advance(2000);
    replica.store.fault = 'reject';
    for (let second = 0; second < 5; second++) {
      succeed(replica.circuit);
      await clock.advance(1000);
    }
    expect(replica.fleet.status().isDegraded).toBe(true);
    replica.store.fault = undefined;
    await clock.advance(1000);

    expect(replica.fleet.status().isDegraded).toBe(false);
    expect(replica.fleet.status().circuits[0]!.shared?.calls).toBe(6);
  });

  it('is soon after a store is back for a call, too, that ended when its circuit was forgotten', async () => {
    const { replica, clock } = alone({ flushMs: [1000, 1000] });
    const permit = permitOf(replica.circuit);
    await clock.advance(2000);
    replica.store.fault = 'reject';
    succeed(replica.circuits.get('one'));
    succeed(replica.circuits.get('other'));
    await clock.advance(0);
    expect(replica.fleet.status().isDegraded).toBe(true);
    replica.circuits.clear();
    replica.circuit.settle(permit);
    const { length } = reportsOf(replica);
    replica.store.fault = undefined;
    await clock.advance(1500);

    expect(replica.fleet.status()).toMatchObject({ isDegraded: false, circuits: [] });
    expect(reportsOf(replica)).toHaveLength(length + 1);
    expect(replica.store.askedFor('report').at(-1)).toMatchObject({ calls: 1 });
  });

  it('keeps no process alive', async () => {
    const manual = new ManualClock();
    const keeping: number[] = [];
    const clock = {
      now: () => manual.now(),
      wallTime: () => manual.wallTime(),
      setTimer: (callback: () => void, delayMs: number, isBackground?: boolean) => {
        if (isBackground !== true) keeping.push(delayMs);
        return manual.setTimer(callback, delayMs);
      },
    };
    const fleet = new CircuitFleet({ store: new MemoryCircuitStore({ clock }), clock });
    await manual.advance(20_000);

    expect(fleet.status().replicas).toBe(1);
    expect(keeping).toEqual([]);
  });
});

describe('when a fleet looks after a store that it has lost', () => {
  it('is a quarter of a second later, however seldom it tells and its heart beats', async () => {
    const { replica, clock } = alone({ flushMs: [5000, 5000] });
    await clock.advance(20_000);
    replica.store.fault = 'reject';
    succeed(replica.circuit);
    succeed(replica.circuits.get('other'));
    await clock.advance(0);
    expect(replica.fleet.status().isDegraded).toBe(true);
    replica.store.fault = undefined;
    await clock.advance(250);

    expect(replica.store.askedFor('join').map(({ at }) => at)).toEqual([0, 20_250]);
    expect(replica.fleet.status().isDegraded).toBe(false);
  });
});
