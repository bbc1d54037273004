import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { allAre, FleetProcesses } from './support/fleet-processes.ts';
import type { ReplicaCounts } from './support/fleet-replica.ts';
import { needsPart } from './support/needs-part.ts';
import { RedisServer } from './support/redis-server.ts';
import { RedisWire } from './support/redis-wire.ts';

const redis = needsPart('redis-server');
const isFull = process.env['HOLDFAST_FULL'] === '1';
const REPLICAS = isFull ? 8 : 4;
const RESTARTS = isFull ? 20 : 2;
const PAUSE_MS = isFull ? 5_000 : 1_500;
const TIMEOUT_MS = isFull ? 240_000 : 60_000;
/** How long is measured what admission costs while all is well. */
const CALM_MS = isFull ? 5_000 : 1_000;
/** The fleet agrees again so soon after Redis is back. */
const AGREES_WITHIN_MS = 2_000;
const MOST_P99_CHANGE_MS = 1;
/** Closed all the time, and open all the time. */
const NAMES = ['steady', 'broken'];
/** Figures for whoever reads the run. */
const print = (line: string): void => void process.stdout.write(`${line}\n`);

describe.skipIf(redis.isMissing)(`${REPLICAS} processes without Redis${redis.why}`, () => {
  let server: RedisServer;
  let wire: RedisWire;
  let fleet: FleetProcesses;
  let before: readonly ReplicaCounts[];
  let calmP99: number;

  beforeAll(async () => {
    server = await RedisServer.start();
    wire = await RedisWire.to(server.port);
    const urls = Array.from({ length: REPLICAS }, (_, at) => (at % 2 === 0 ? server : wire).url);
    fleet = await FleetProcesses.start(urls);
    const circuit = { openForMs: 3_600_000 };
    await fleet.prepare(NAMES, { circuit, isFailing: false, broken: ['broken'], paceMs: 10 });
    await fleet.trip('broken');
    await fleet.onAll((replica) => replica.begin());
    await fleet.until((seen) => seen.every((each) => each.replicas === REPLICAS), 20_000);
    await fleet.until(agree, 5_000);
  }, TIMEOUT_MS);
  afterAll(async () => {
    await fleet.killAll();
    await wire.close();
    await server.stop();
  });
  afterEach(() => {
    server.resume();
    wire.mend();
  });
  beforeEach(async () => {
    await fleet.until(agree, 10_000);
    before = await fleet.lookAtAll();
    await admissionP99();
    await sleep(CALM_MS);
    calmP99 = await admissionP99();
  });

  /** The time, in milliseconds, of which 99 in 100 calls since it was last asked for stayed below to be admitted. */
  async function admissionP99(): Promise<number> {
    const took = await Promise.all(fleet.replicas.map((replica) => replica.admissions()));
    const sorted = took.flat().sort((a, b) => a - b);
    return sorted[Math.floor(sorted.length * 0.99)] ?? 0;
  }

  /** Whether nobody is without Redis, and all know of every circuit what Redis knows. */
  async function agree(seen: readonly ReplicaCounts[]): Promise<boolean> {
    if (seen.some(({ isDegraded }) => isDegraded)) return false;
    if (!allAre('steady', 'closed')(seen) || !allAre('broken', 'open')(seen)) return false;
    const kept = await server.cli('hmget', 'holdfast:{broken}', 'state', 'version');
    return seen.every(({ versions }) => kept === `open\n${versions['broken']}`);
  }

  const untilAway = (isAway: (at: number) => boolean = () => true): Promise<number> =>
    fleet.until((seen) => seen.every((each, at) => each.isDegraded === isAway(at)), 10_000);

  /** Every call of the closed circuit went well, every call of the open one was refused, and nothing else happened. */
  async function expectNoLoss(): Promise<void> {
    await fleet.onAll((replica) => replica.end());
    const isOver = ({ counts }: ReplicaCounts): boolean =>
      counts['steady']!.succeeded === counts['steady']!.made;
    await expect.poll(async () => (await fleet.lookAtAll()).every(isOver)).toBe(true);
    for (const [at, { counts, unhandled, memoryBytes }] of (await fleet.lookAtAll()).entries()) {
      const then = before[at]!;
      expect(counts['steady']).toMatchObject({ refused: 0, failed: 0 });
      expect(counts['steady']!.made).toBeGreaterThan(then.counts['steady']!.made);
      expect(counts['broken']!.calls).toBe(then.counts['broken']!.calls);
      expect(counts['broken']!.refused).toBeGreaterThan(then.counts['broken']!.refused);
      expect(unhandled).toBe(0);
      expect(memoryBytes - then.memoryBytes).toBeLessThan(80_000_000);
    }
    await fleet.onAll((replica) => replica.begin());
  }

  function expectP99(awayP99: number, what: string): void {
    print(`admission p99 ${calmP99.toFixed(3)} ms, ${what} ${awayP99.toFixed(3)} ms`);
    expect(awayP99 - calmP99).toBeLessThanOrEqual(MOST_P99_CHANGE_MS);
  }

  test(
    'a Redis that is killed again and again costs no call, and the fleet agrees when it is back',
    async () => {
      const agreedMs: number[] = [];
      for (let restart = 0; restart < RESTARTS; restart++) {
        await server.kill();
        await untilAway();
        await server.restart();
        agreedMs.push(await fleet.until(agree, 10_000));
      }
      const [awayP99, longest] = [await admissionP99(), Math.max(...agreedMs)];
      print(`${RESTARTS} times without Redis; at most ${longest.toFixed(0)} ms until all agreed`);

      expect(longest).toBeLessThan(AGREES_WITHIN_MS);
      expectP99(awayP99, 'while Redis was killed');
      await expectNoLoss();
      for (const { events } of await fleet.lookAtAll()) {
        // A machine that is too busy may lose it once more.
        expect(events.length).toBeGreaterThanOrEqual(2 * RESTARTS);
        const turns = events.map((_, at) => (at % 2 === 0 ? 'store-degraded' : 'store-recovered'));
        expect(events).toEqual(turns);
      }
    },
    TIMEOUT_MS,
  );

  test(
    'a Redis that stands still costs no call, and the fleet agrees when it goes on',
    async () => {
      server.pause();
      await Promise.all([sleep(PAUSE_MS), untilAway()]);
      const awayP99 = await admissionP99();
      server.resume();
      const agreedMs = await fleet.until(agree, 10_000);
      print(`Redis paused for ${PAUSE_MS} ms or more; ${agreedMs.toFixed(0)} ms until all agreed`);

      expect(agreedMs).toBeLessThan(AGREES_WITHIN_MS);
      expectP99(awayP99, 'while Redis was paused');
      await expectNoLoss();
    },
    TIMEOUT_MS,
  );

  test(
    'replicas that are cut off go on by themselves, and hear what they missed when they are back',
    async () => {
      const isBehindWire = (at: number): boolean => at % 2 === 1;
      await fleet.onAll((replica) => replica.set({ names: [...NAMES, 'split'] }));
      await fleet.until(allAre('split', 'closed'), 5_000);
      wire.cut();
      await untilAway(isBehindWire);
      await fleet.replicas[0]!.isolate('split');
      await fleet.until(
        (seen) =>
          seen.every(
            ({ states }, at) => states['split'] === (isBehindWire(at) ? 'closed' : 'open'),
          ),
        2_000,
      );
      const awayP99 = await admissionP99();
      wire.mend();
      const startedAt = performance.now();
      await fleet.until(agree, 10_000);
      await fleet.until(allAre('split', 'open'), 10_000);
      const agreedMs = performance.now() - startedAt;
      print(`half of the fleet cut off; ${agreedMs.toFixed(0)} ms until all agreed`);

      expect(agreedMs).toBeLessThan(AGREES_WITHIN_MS);
      expectP99(awayP99, 'while half of the fleet was cut off');
      await fleet.replicas[1]!.reset('split');
      expect(await fleet.until(allAre('split', 'closed'), 2_000)).toBeLessThan(2_000);
      await expectNoLoss();
    },
    TIMEOUT_MS,
  );
});
