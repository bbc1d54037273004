import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../testing/create-random.ts';
import { ManualClock } from '../../../testing/manual-clock.ts';
import { fail, permitOf, succeed } from '../../breaker/breaker-under-test.case.ts';
import type { CircuitBreaker } from '../../breaker/circuit-breaker.ts';
import { Circuits } from '../../circuits.ts';
import { CircuitFleet } from '../circuit-fleet.ts';
import type { CircuitStore } from '../circuit-store.ts';
import { FaultyStore } from '../faulty-store.case.ts';
import type { StoreInSuite } from './store-in-suite.case.ts';

/** The time that a replica waits is the test's, and goes by so slowly that what the store itself takes is little of it. */
const STEP_MS = 20;
const TIMEOUT_MS = 5_000;
const PATIENCE = { timeout: 10_000, interval: 1 };

interface SlowReplica {
  readonly way: FaultyStore;
  readonly fleet: CircuitFleet;
  readonly circuit: CircuitBreaker;
  readonly events: string[];
}

function replicaOf(store: CircuitStore, replica: string, clock: ManualClock): SlowReplica {
  const way = new FaultyStore(store, clock);
  const events: string[] = [];
  const fleet = new CircuitFleet({
    store: way,
    replica,
    clock,
    storeTimeoutMs: TIMEOUT_MS,
    random: createRandom(replica.length),
    onEvent: ({ type }) => void events.push(type),
  });
  return { way, fleet, circuit: new Circuits({ fleet }).get('search'), events };
}

/** What replicas get of a store that takes its time. */
export function describeSlowness(inSuite: () => StoreInSuite): void {
  describe('a slow way to it', () => {
    it('makes the others hear of a trip later, and nobody wait', async () => {
      const suite = inSuite();
      const clock = new ManualClock();
      const one = replicaOf(suite.one, 'one', clock);
      const other = replicaOf(suite.other, 'other', clock);
      for (const { way } of [one, other]) way.delayMs = () => 200;
      other.circuit.release(permitOf(other.circuit));
      fail(one.circuit, 5);
      expect(one.circuit.state).toBe('open');

      const seen = async (): Promise<unknown> => {
        await clock.advance(STEP_MS);
        other.circuit.acquire();
        return other.circuit.state;
      };
      await expect.poll(seen, PATIENCE).toBe('open');
      expect([...one.events, ...other.events]).not.toContain('store-degraded');
      await closeAll(clock, one, other);
    });

    it('is as none where it is too slow, until it is not', async () => {
      const clock = new ManualClock();
      const replica = replicaOf(inSuite().one, 'one', clock);
      const { way, fleet, circuit, events } = replica;
      way.delayMs = () => TIMEOUT_MS;
      let made = 0;
      const call = async (): Promise<void> => {
        succeed(circuit);
        made++;
        await clock.advance(STEP_MS);
      };
      await expect.poll(async () => (await call(), fleet.status().isDegraded), PATIENCE).toBe(true);
      way.delayMs = () => 0;
      await expect
        .poll(async () => (await call(), fleet.status().isDegraded), PATIENCE)
        .toBe(false);
      const told = async (): Promise<number | undefined> => {
        await clock.advance(STEP_MS);
        return fleet.status().circuits[0]?.shared?.calls;
      };
      await expect.poll(told, PATIENCE).toBe(made);

      expect(circuit.metrics()).toMatchObject({ successes: made, rejections: 0 });
      expect(events).toEqual(['store-degraded', 'store-recovered']);
      await closeAll(clock, replica);
    });
  });
}

async function closeAll(clock: ManualClock, ...replicas: readonly SlowReplica[]): Promise<void> {
  let isClosed = false;
  void Promise.all(replicas.map(({ fleet }) => fleet.close())).then(() => (isClosed = true));
  await expect.poll(async () => (await clock.advance(STEP_MS), isClosed), PATIENCE).toBe(true);
}
