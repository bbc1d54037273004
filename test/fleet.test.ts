import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CircuitOptions } from '../packages/core/src/guard/index.ts';
import { allAre, FleetProcesses } from './support/fleet-processes.ts';
import type { FleetReplica, ReplicaCounts } from './support/fleet-replica.ts';
import { needsPart } from './support/needs-part.ts';
import { RedisServer } from './support/redis-server.ts';

const redis = needsPart('redis-server');
const isFull = process.env['HOLDFAST_FULL'] === '1';
/** Processes of Node, on a machine that may have two cores. */
const REPLICAS = isFull ? 8 : 4;
const CIRCUITS = isFull ? 50 : 10;
const ROUNDS = isFull ? 20 : 3;
const OPEN_FOR_MS = isFull ? 1_500 : 700;
const TIMEOUT_MS = isFull ? 180_000 : 60_000;
/** Figures for whoever reads the run. */
const print = (line: string): void => void process.stdout.write(`${line}\n`);

describe.skipIf(redis.isMissing)(`a fleet of ${REPLICAS} processes${redis.why}`, () => {
  let server: RedisServer;
  let fleet: FleetProcesses;

  beforeAll(async () => {
    server = await RedisServer.start();
    fleet = await FleetProcesses.start(Array.from({ length: REPLICAS }, () => server.url));
  }, TIMEOUT_MS);
  afterAll(async () => {
    await fleet.killAll();
    await server.stop();
  });

  /** Calls until the call is let through. */
  async function callUntilLetThrough(replica: FleetReplica, name: string): Promise<void> {
    const startedAt = performance.now();
    const calls = async (): Promise<number> => (await replica.look()).counts[name]?.calls ?? 0;
    const before = await calls();
    while ((await calls()) === before) {
      if (performance.now() - startedAt > 20_000) throw new Error(`${name} is never let through`);
      await replica.call(name);
      await sleep(10);
    }
  }

  /** The time of Redis, in milliseconds. */
  async function redisTime(): Promise<number> {
    const [seconds, micros] = (await server.cli('time')).split('\n').map(Number);
    return seconds! * 1000 + micros! / 1000;
  }

  /** When the one probe that is under way loses its place, by the time of Redis. */
  async function leaseEnd(name: string): Promise<number> {
    const fields = (await server.cli('hgetall', `holdfast:{${name}}`)).split('\n');
    const [end, ...others] = fields.flatMap((field, at) =>
      field.startsWith('l:') ? [Number.parseFloat(fields[at + 1]!)] : [],
    );
    expect(others).toEqual([]);
    return end!;
  }

  /** How often a circuit has opened, as far as all replicas know. */
  const openings = (seen: readonly ReplicaCounts[], name: string): number =>
    Math.min(...seen.map((each) => each.openings[name] ?? 0));

  test(
    'a trip on one is refused on all others within a second',
    async () => {
      await fleet.prepare(['flaky'], { circuit: { openForMs: 60_000 }, isFailing: true });
      const startedAt = performance.now();
      await fleet.trip('flaky');
      await fleet.until(allAre('flaky', 'open'), 3_000);
      const tookMs = performance.now() - startedAt;
      print(
        `a trip was known to ${REPLICAS} processes ${tookMs.toFixed(0)} ms after the first call`,
      );

      expect(tookMs).toBeLessThan(1_000);
      await fleet.onAll((replica) => replica.call('flaky'));
      for (const { counts } of (await fleet.lookAtAll()).slice(1))
        expect(counts['flaky']).toMatchObject({ made: 1, calls: 0, refused: 1 });
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
      await fleet.prepare(names, { circuit, isFailing: true, paceMs });
      for (const name of names) await fleet.trip(name);
      await fleet.until((seen) => names.every((name) => openings(seen, name) > 0), 10_000);
      const sumOf = (seen: readonly ReplicaCounts[], name: string, what: 'calls' | 'probes') =>
        seen.reduce((sum, { counts }) => sum + (counts[name]?.[what] ?? 0), 0);
      const atFirst = await fleet.lookAtAll();
      await fleet.onAll((replica) => replica.begin());
      await fleet.until(
        (seen) => names.every((name) => openings(seen, name) > ROUNDS),
        TIMEOUT_MS - 20_000,
      );
      await fleet.onAll((replica) => replica.end());
      // The first time each opened by calls that failed, every other time by one probe. Those that are under way
      // still end, and open it once more.
      const moreThanOne = async (): Promise<readonly object[]> => {
        const seen = await fleet.lookAtAll();
        const kept = await Promise.all(
          names.map((name) => server.cli('HGET', `holdfast:{${name}}`, 'openings')),
        );
        return names
          .map((name, index) => ({
            name,
            reachedTheTool: sumOf(seen, name, 'calls') - sumOf(atFirst, name, 'calls'),
            probes: sumOf(seen, name, 'probes'),
            rounds: Number(kept[index]) - 1,
          }))
          .filter(
            ({ reachedTheTool, probes, rounds }) => reachedTheTool !== rounds || probes !== rounds,
          );
      };
      await expect.poll(moreThanOne, { timeout: 10_000, interval: 200 }).toEqual([]);
    },
    TIMEOUT_MS,
  );

  test(
    'a probe whose process is killed makes room when its lease ends',
    async () => {
      const leaseMs = 3_000;
      await fleet.prepare(['lost'], {
        circuit: { openForMs: 500, probeLeaseMs: leaseMs },
        isFailing: true,
      });
      await fleet.trip('lost');
      await fleet.until(allAre('lost', 'open'), 3_000);
      const [first, second] = fleet.replicas;
      await first!.set({ hangsFor: 60_000 });
      await callUntilLetThrough(first!, 'lost');
      await fleet.kill(first!);
      const [killedAt, endsAt] = [await redisTime(), await leaseEnd('lost')];

      await second!.set({ isFailing: false });
      await callUntilLetThrough(second!, 'lost');
      const freeAt = await redisTime();
      print(
        `a killed probe held its place for ${(endsAt - killedAt).toFixed(0)} ms, ` +
          `and another was made ${(freeAt - endsAt).toFixed(0)} ms later`,
      );
      // A second more than a probe may take: so long its place waits for a call.
      expect(endsAt - killedAt).toBeLessThanOrEqual(leaseMs + 1_000);
      expect(freeAt).toBeGreaterThanOrEqual(endsAt);
      expect(freeAt - endsAt).toBeLessThan(1_000);
      await fleet.until(allAre('lost', 'closed'), 2_000);
    },
    TIMEOUT_MS,
  );
});
