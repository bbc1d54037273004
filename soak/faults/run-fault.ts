import { setTimeout as sleep } from 'node:timers/promises';
import type { Traffic } from '../clients/traffic.ts';
import { Dice } from '../dice.ts';
import type { PlannedFault } from '../schedule.ts';
import type { World } from '../world/world.ts';
import type { Fault } from './fault.ts';

/** What became of a fault. */
export interface FaultRecord {
  readonly kind: string;
  readonly slice: number;
  /** Seconds since the run began. */
  readonly atSeconds: number;
  readonly lastedMs: number;
  /** From its end until a probe began that went well; undefined where none did in time. */
  readonly recoveredMs: number | undefined;
  /** How often something was hit by it: an answer, a process, a request, as the kind has it. */
  readonly hits: number;
}

/** No circuit is open for longer than 1.5 s, and no server is tried again later than after some seconds. */
const RECOVERS_WITHIN_MS = 30_000;
const PROBE_EVERY_MS = 50;

/** Runs the faults of a slice side by side, those that are done to the same thing one after the other. */
export async function runFaults(
  planned: readonly PlannedFault[],
  slice: number,
  world: World,
  traffic: Traffic,
): Promise<readonly FaultRecord[]> {
  const startedAt = performance.now();
  const byTarget = new Map<string, Promise<unknown>>();
  const records = planned.map(async (each) => {
    const before = byTarget.get(each.fault.target);
    const done = (async (): Promise<FaultRecord> => {
      await before;
      await sleep(Math.max(0, startedAt + each.afterMs - performance.now()));
      return runFault(each, slice, world, traffic);
    })();
    byTarget.set(each.fault.target, done);
    return done;
  });
  return Promise.all(records);
}

/** Does it, ends it, and looks how long it takes until all is well again. */
async function runFault(
  { fault, forMs, name }: PlannedFault,
  slice: number,
  world: World,
  traffic: Traffic,
): Promise<FaultRecord> {
  const { violations, seed, hindered } = world;
  const { kind, hinders = false, recoversWithinMs = RECOVERS_WITHIN_MS } = fault;
  const atSeconds = violations.seconds;
  const hitsBefore = await fault.hits(world);
  if (hinders) hindered.open();
  const from = performance.now();
  const end = await fault.begin({ world, traffic, dice: new Dice(seed, name) });
  if (forMs > 0) await sleep(forMs);
  await end();
  const endedAt = performance.now();
  const recoveredMs = await recovery(fault, world, endedAt);
  if (hinders) hindered.close();
  const isInTime = (recoveredMs ?? Infinity) <= recoversWithinMs;
  violations.check(
    'recovered',
    isInTime || (recoveredMs !== undefined && hindered.touches(endedAt)),
    () =>
      `${name}: what it broke works ${recoveredMs === undefined ? `not within ${RECOVERS_WITHIN_MS}` : Math.round(recoveredMs)} ms after it ended, and should within ${recoversWithinMs} ms`,
  );
  const hits = (await fault.hits(world)) - hitsBefore;
  return { kind, slice, atSeconds, lastedMs: endedAt - from, recoveredMs, hits };
}

async function recovery(fault: Fault, world: World, endedAt: number): Promise<number | undefined> {
  for (;;) {
    const beganAt = performance.now();
    if (beganAt - endedAt > RECOVERS_WITHIN_MS || !world.gateway.isRunning) return undefined;
    if (await fault.hasRecovered(world).catch(() => false)) return beganAt - endedAt;
    await sleep(PROBE_EVERY_MS);
  }
}
