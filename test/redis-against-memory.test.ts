import { createClient } from '@redis/client';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RedisCircuitStore } from '@holdfast/core/redis';
import { ManualClock } from '@holdfast/core/testing';
import { report } from '../packages/core/src/guard/store/circuit-store-suite.case.ts';
import type { CircuitReport } from '../packages/core/src/guard/store/circuit-store.ts';
import { MemoryCircuitStore } from '../packages/core/src/guard/store/memory-circuit-store.ts';
import { ageRedis } from './support/age-redis.ts';
import { needsPart } from './support/needs-part.ts';
import { RedisServer } from './support/redis-server.ts';
import { rules, step } from './support/store-steps.ts';
import { StoreSubject } from './support/store-subject.ts';

const redis = needsPart('redis-server');

/** A gate that has opened, while nearly all that the fleet sees succeeds. */
const tripped = (replica: string, version: number): CircuitReport =>
  report({ replica, calls: 1, failures: 1, trip: 'failure_threshold_exceeded', version });

describe.skipIf(redis.isMissing)(`Redis and memory${redis.why}`, () => {
  let server: RedisServer;
  let client: ReturnType<typeof createClient>;
  let runs = 0;

  beforeAll(async () => {
    server = await RedisServer.start();
    client = createClient({ url: server.url });
    await client.connect();
  });
  afterAll(async () => {
    client.destroy();
    await server.stop();
  });

  it('do the same, whatever happens', { timeout: 300_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(
        rules,
        fc.array(step, { minLength: 20, maxLength: 60 }),
        async (rules, taken) => {
          const now = Number((await client.time())[0]) * 1000;
          const stepMs = stepFor(now);
          const prefix = `run${runs++}`;
          const clock = new ManualClock(0, now);
          const kept = new MemoryCircuitStore({ clock });
          const memory = new StoreSubject(kept, stepMs, rules, async (ms) => {
            await clock.advance(ms);
            return 'later';
          });
          const store = new RedisCircuitStore({ client, prefix });
          const other = new StoreSubject(store, stepMs, rules, async (ms) => {
            await ageRedis(client, prefix, ms, { versions: true });
            return 'aged';
          });
          for (const [at, step] of taken.entries()) {
            const expected = { told: await memory.take(step), forMs: kept.keptForMs('search') };
            const told = await other.take(step);
            const forMs = Math.max(0, await client.pTTL(`${prefix}:{search}`));

            expect({ at, told }).toEqual({ at, told: expected.told });
            expect(Math.abs(forMs - expected.forMs)).toBeLessThan(stepMs / 2);
          }
          await client.flushDb();
        },
      ),
      // Each run asks a real Redis hundreds of times.
      { numRuns: Math.min(fc.readConfigureGlobal().numRuns ?? 100, 500) },
    );
  });

  it('agree only among replicas of the same generation', async () => {
    for (const store of [
      new MemoryCircuitStore(),
      new RedisCircuitStore({ client, prefix: 'gen' }),
    ]) {
      for (const replica of ['a', 'b', 'c', 'd', 'e'])
        await store.report('search', report({ replica, calls: 100 }));
      const { version } = await store.override('search', { type: 'reset', replica: 'a' });
      await store.report('search', report({ replica: 'f', calls: 100, version }));
      const states = [];
      for (const replica of ['a', 'b'])
        states.push(await store.report('search', tripped(replica, version)));

      expect(states.map(({ state }) => state)).toEqual(['closed', 'open']);
    }
  });

  it('agree only among replicas that called within the window', async () => {
    const clock = new ManualClock();
    const memory = new MemoryCircuitStore({ clock });
    const store = new RedisCircuitStore({ client, prefix: 'old' });
    for (const each of [memory, store])
      for (const replica of ['a', 'b', 'c', 'd', 'e'])
        await each.report('search', report({ replica, calls: 100 }));
    await clock.advance(61_000);
    await ageRedis(client, 'old', 61_000);
    for (const each of [memory, store]) {
      await each.report('search', report({ replica: 'f', calls: 100 }));
      await each.report('search', tripped('a', 0));

      expect(await each.report('search', tripped('b', 0))).toMatchObject({ state: 'open' });
    }
  });

  it('do not open by a report of nothing', async () => {
    for (const store of [
      new MemoryCircuitStore(),
      new RedisCircuitStore({ client, prefix: 'poll' }),
    ]) {
      await store.report('search', report({ calls: 50, failures: 50, scope: 'local' }));

      expect(await store.report('search', report())).toMatchObject({ state: 'closed' });
    }
  });

  it('go by shares alone where there are more replicas than they keep track of', async () => {
    for (const store of [
      new MemoryCircuitStore(),
      new RedisCircuitStore({ client, prefix: 'many' }),
    ]) {
      const replicas = Array.from({ length: 70 }, (_, at) => `r${at}`);
      for (const replica of replicas) await store.report('search', report({ replica, calls: 100 }));
      const states = [];
      for (const replica of replicas)
        states.push(await store.report('search', tripped(replica, 0)));

      expect(new Set(states.map(({ state }) => state))).toEqual(new Set(['closed']));
    }
  });
});

/**
 * A step of about a minute that has just begun, as a window is cut: what really passes does not end it. It is
 * no part of ten minutes, so that nothing is due at the same time as something else.
 */
function stepFor(now: number): number {
  const candidates = Array.from({ length: 3000 }, (_, index) => 60_002 + 2 * index);
  return candidates.reduce((best, step) => (now % step < now % best ? step : best));
}
