import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CircuitOptions } from '../packages/core/src/guard/index.ts';
import { FleetReplica } from './support/fleet-replica.ts';
import type { ReplicaCounts } from './support/fleet-replica.ts';
import { needsPart } from './support/needs-part.ts';
import { RedisServer } from './support/redis-server.ts';

const redis = needsPart('redis-server');
const isFull = process.env['HOLDFAST_FULL'] === '1';
/** Processes of Node, on a machine that may have two cores. */
const REPLICAS = isFull ? 8 : 4;
const CIRCUITS = isFull ? 50 : 10;
const ROUNDS = isFull ? 20 : 3;
const OPEN_FOR_MS = isFull ? 1_500 : 700;
const RESTARTS = isFull ? 20 : 2;
const TIMEOUT_MS = isFull ? 180_000 : 60_000;
/** Figures for whoever reads the run. */
const print = (line: string): void => void process.stdout.write(`${line}\n`);
/** Half of the replicas live in the future, the others in the past. */
const SKEW_MS = 600_000;

describe.skipIf(redis.isMissing)(`a fleet of ${REPLICAS} processes${redis.why}`, () => {
  let server: RedisServer;
  let replicas: readonly FleetReplica[] = [];

  beforeAll(async () => {
    server = await RedisServer.start();
    const { url } = server;
    const starting = Array.from({ length: REPLICAS }, (_, index) =>
      FleetReplica.start({
        url,
        replica: `replica-${index}`,
        skewMs: (index % 2 === 0 ? 1 : -1) * SKEW_MS,
      }),
    );
    replicas = await Promise.all(starting);
  }, TIMEOUT_MS);
  afterAll(async () => {
    server.resume();
    await Promise.all(replicas.map((replica) => replica.kill()));
    await server.stop();
  });

  const onAll = async (order: (replica: FleetReplica) => Promise<void>): Promise<void> => {
    await Promise.all(replicas.map(order));
  };
  const lookAtAll = (): Promise<ReplicaCounts[]> =>
    Promise.all(replicas.map((replica) => replica.look()));

  /** Polls all replicas until they are as wanted, and returns how long that took. */
  async function until(
    isWanted: (seen: readonly ReplicaCounts[]) => boolean,
    withinMs: number,
  ): Promise<number> {
    const startedAt = performance.now();
    for (;;) {
      const seen = await lookAtAll();
      const took = performance.now() - startedAt;
      if (isWanted(seen)) return took;
      if (took > withinMs) throw new Error(`after ${took} ms: ${JSON.stringify(seen, null, 1)}`);
      await sleep(10);
    }
  }

  const allAre = (name: string, state: string) => (seen: readonly ReplicaCounts[]) =>
    seen.every(({ states }) => states[name] === state);

  /** Every replica has used the circuit once and knows that it is closed; from now on the tool fails. */
  async function prepare(name: string, circuit: CircuitOptions): Promise<void> {
    await onAll((replica) => replica.set({ names: [name], circuit, isFailing: false }));
    await onAll((replica) => replica.call(name));
    await until((seen) => seen.every(({ openings }) => name in openings), 5_000);
    await onAll((replica) => replica.set({ isFailing: true }));
  }

  /** One replica fails until it opens; most of what the fleet has seen has failed then. */
  async function trip(name: string): Promise<void> {
    for (let failure = 0; failure < 2 * REPLICAS; failure++) await replicas[0]!.call(name);
  }

  /** Calls until the call is let through. Returns how long that took. */
  async function callUntilLetThrough(replica: FleetReplica, name: string): Promise<number> {
    const startedAt = performance.now();
    const calls = async (): Promise<number> => (await replica.look()).counts[name]?.calls ?? 0;
    const before = await calls();
    while ((await calls()) === before) {
      if (performance.now() - startedAt > 20_000) throw new Error(`${name} is never let through`);
      await replica.call(name);
      await sleep(10);
    }
    return performance.now() - startedAt;
  }

  test(
    'a trip on one is refused on all others within a second',
    async () => {
      await prepare('flaky', { openForMs: 60_000 });
      await trip('flaky');
      const tookMs = await until(allAre('flaky', 'open'), 3_000);
      print(`a trip was known to ${REPLICAS} processes after ${tookMs.toFixed(0)} ms`);

      expect(tookMs).toBeLessThan(1_000);
      await onAll((replica) => replica.call('flaky'));
      for (const { counts } of (await lookAtAll()).slice(1))
        expect(counts['flaky']).toMatchObject({ calls: 1, refused: 1 });
    },
    TIMEOUT_MS,
  );

  test(
    'one probe reaches the tool each time that the open time is over',
    async () => {
      const names = Array.from({ length: CIRCUITS }, (_, index) => `tool-${index}`);
      // A machine that is too slow may take the store for lost, and would then probe by itself.
      const circuit: CircuitOptions = { openForMs: OPEN_FOR_MS, onStoreLoss: 'refuse' };
      const paceMs = isFull ? 100 : 40;
      await onAll((replica) => replica.set({ names, circuit, isFailing: true, paceMs }));
      // One after the other: a replica that opens before the fleet does would probe by itself.
      for (const name of names) await trip(name);
      await until(([first]) => names.every((name) => (first?.openings[name] ?? 0) > 0), 10_000);
      await onAll((replica) => replica.begin());
      const openingsOf = (seen: readonly ReplicaCounts[], name: string): number =>
        Math.max(...seen.map(({ openings }) => openings[name] ?? 0));
      await until(
        (seen) => names.every((name) => openingsOf(seen, name) > ROUNDS),
        TIMEOUT_MS - 20_000,
      );
      await onAll((replica) => replica.end());
      // The first time each opened by calls that failed, every other time by one probe. Those that are under way
      // still end, and open it once more.
      const moreThanOne = async (): Promise<readonly object[]> => {
        const seen = await lookAtAll();
        const kept = await Promise.all(
          names.map((name) => server.cli('HGET', `holdfast:{${name}}`, 'openings')),
        );
        return names
          .map((name, index) => ({
            name,
            probes: seen.reduce((sum, { counts }) => sum + (counts[name]?.probes ?? 0), 0),
            openings: Number(kept[index]),
          }))
          .filter(({ probes, openings }) => probes !== openings - 1);
      };
      await expect.poll(moreThanOne, { timeout: 10_000, interval: 200 }).toEqual([]);
    },
    TIMEOUT_MS,
  );

  test(
    'a Redis that is killed, paused and back again costs no call, and the fleet agrees again',
    async () => {
      const names = ['steady'];
      await onAll((replica) => replica.set({ names, circuit: {}, isFailing: false, paceMs: 10 }));
      await onAll((replica) => replica.begin());
      await until((seen) => seen.every((each) => each.replicas === REPLICAS), 10_000);
      const calm = await replicas[0]!.admissionP99();
      const before = await lookAtAll();

      for (let restart = 0; restart < RESTARTS; restart++) {
        await server.kill();
        await sleep(300);
        await server.restart();
        await sleep(300);
      }
      server.pause();
      await until((seen) => seen.every(({ isDegraded }) => isDegraded), 10_000);
      const away = await replicas[0]!.admissionP99();
      await sleep(isFull ? 4_000 : 500);
      server.resume();
      const backAfterMs = await until((seen) => seen.every((each) => !each.isDegraded), 5_000);
      print(
        `admission p99 ${calm.toFixed(4)} ms, without Redis ${away.toFixed(4)} ms; ` +
          `the fleet was back after ${backAfterMs.toFixed(0)} ms`,
      );
      await onAll((replica) => replica.end());
      const after = await lookAtAll();

      expect(backAfterMs).toBeLessThan(2_000);
      expect(away - calm).toBeLessThan(1);
      for (const [index, { counts, unhandled, events, memoryBytes }] of after.entries()) {
        const { calls = 0 } = before[index]?.counts['steady'] ?? {};
        expect(counts['steady']?.calls).toBeGreaterThan(calls);
        expect(counts['steady']?.refused).toBe(0);
        expect(unhandled).toBe(0);
        expect(events).toContain('store-degraded');
        expect(events.at(-1)).toBe('store-recovered');
        expect(memoryBytes - before[index]!.memoryBytes).toBeLessThan(80_000_000);
      }
      // What one of them says by hand holds for all, and so does what it takes back.
      await replicas[0]!.isolate('steady');
      expect(await until(allAre('steady', 'open'), 2_000)).toBeLessThan(2_000);
      await replicas[1]!.reset('steady');
      expect(await until(allAre('steady', 'closed'), 2_000)).toBeLessThan(2_000);
    },
    TIMEOUT_MS,
  );

  test(
    'a probe whose process is killed makes room when its lease ends',
    async () => {
      const leaseMs = 3_000;
      await prepare('lost', { openForMs: 500, probeLeaseMs: leaseMs });
      await trip('lost');
      await until(allAre('lost', 'open'), 3_000);
      const [first, second] = replicas;
      await first!.set({ hangsFor: 60_000 });
      await callUntilLetThrough(first!, 'lost');
      replicas = replicas.slice(1);
      await first!.kill();

      await second!.set({ isFailing: false });
      const freeAfterMs = await callUntilLetThrough(second!, 'lost');
      print(`the place of a killed probe was free after ${freeAfterMs.toFixed(0)} ms`);
      expect(freeAfterMs).toBeGreaterThan(leaseMs / 2);
      expect(freeAfterMs).toBeLessThan(leaseMs + 2_000);
      await until(allAre('lost', 'closed'), 2_000);
    },
    TIMEOUT_MS,
  );
});
