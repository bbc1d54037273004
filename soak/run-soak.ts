import { fillMemory } from './clients/fill-memory.ts';
import { Traffic } from './clients/traffic.ts';
import { ALL_FAULTS } from './faults/all-faults.ts';
import type { Fault } from './faults/fault.ts';
import { runFaults } from './faults/run-fault.ts';
import type { FaultRecord } from './faults/run-fault.ts';
import { checkEndsCleanly } from './invariants/ends-cleanly.ts';
import { checkFaultsHit } from './invariants/faults-hit.ts';
import { checkFlat } from './invariants/flat.ts';
import { checkResponsive } from './invariants/responsive.ts';
import type { Sample } from './invariants/flat.ts';
import { Violations } from './invariants/violations.ts';
import type { SoakOutcome } from './report/soak-outcome.ts';
import { planSlices } from './schedule.ts';
import { settle } from './settle.ts';
import { startWorld } from './world/world.ts';
import type { World } from './world/world.ts';

export interface SoakOptions {
  readonly minutes: number;
  readonly seed: number;
  /** Clients that come in a second, on the average. */
  readonly rate: number;
  /** Only these kinds of faults; all, if empty. */
  readonly only: readonly string[];
  /** Whether a disk may be mounted for the history, to make it full. */
  readonly mayMount: boolean;
  readonly print: (line: string) => void;
}

/** How long clients come in a slice, and about how long it takes with all that follows. */
const SLICE_MS = 9000;
const WHOLE_SLICE_MS = 14_500;
/** Short runs are to have every fault once. */
const FAULTS_PER_SLICE = 5;
const WARM_UP_CLIENTS = 1000;

/** Runs the whole gateway for so long while everything breaks, and checks that nothing is lost, doubled or left. */
export async function runSoak(options: SoakOptions): Promise<SoakOutcome> {
  const { minutes, seed, rate, print } = options;
  const violations = new Violations(seed, print);
  const world = await startWorld(seed, violations, options);
  try {
    const { faults, leftOut } = possibleFaults(world, options.only);
    for (const line of leftOut) print(line);
    const slices = planSlices({
      seed,
      slices: Math.max(4, Math.round((minutes * 60_000) / WHOLE_SLICE_MS)),
      sliceMs: SLICE_MS,
      faults,
      faultsPerSlice: FAULTS_PER_SLICE,
    });
    const traffic = new Traffic(world);
    await fillMemory(world);
    const samples: Sample[] = [];
    const records: FaultRecord[] = [];
    for (const [slice, planned] of slices.entries()) {
      const running = runFaults(planned.faults, slice, world, traffic);
      // Memory is compared from its largest on: what the first burst takes, the process keeps.
      if (slice === 0) await traffic.burst(WARM_UP_CLIENTS);
      await traffic.run(SLICE_MS, rate);
      const done = await running;
      records.push(...done);
      samples.push(await settle(world, traffic));
      print(sliceLine(slice, slices.length, done, world, samples.at(-1)));
    }
    checkFlat(samples, violations);
    checkFaultsHit(records, violations);
    await checkResponsive(world);
    world.effects.settleAll();
    await checkEndsCleanly(world, world.ledger.pids);
    return outcomeOf({ world, traffic, samples, records, leftOut, options });
  } finally {
    await world.close();
  }
}

function possibleFaults(
  world: World,
  only: readonly string[],
): { readonly faults: readonly Fault[]; readonly leftOut: readonly string[] } {
  const unknown = only.find((kind) => ALL_FAULTS.every((fault) => fault.kind !== kind));
  if (unknown !== undefined) {
    const kinds = ALL_FAULTS.map(({ kind }) => kind).join(', ');
    throw new Error(`no fault ${unknown}; there are ${kinds}`);
  }
  const wanted = ALL_FAULTS.filter(({ kind }) => only.length === 0 || only.includes(kind));
  const why = new Map(wanted.map((fault) => [fault, fault.whyNot?.(world)]));
  return {
    faults: wanted.filter((fault) => why.get(fault) === undefined),
    leftOut: wanted.flatMap((fault) => {
      const reason = why.get(fault);
      return reason === undefined ? [] : [`left out: ${fault.kind} (${reason})`];
    }),
  };
}

function sliceLine(
  slice: number,
  slices: number,
  records: readonly FaultRecord[],
  { violations, tally }: World,
  sample: Sample | undefined,
): string {
  const faults = records.map(
    ({ kind, hits, recoveredMs }) =>
      `${kind} (${hits} hits, back in ${String(Math.round(recoveredMs ?? NaN))} ms)`,
  );
  const { succeeded, failed, refused } = tally.turns;
  const mb = (bytes: number | undefined): number => Math.round((bytes ?? 0) / 1024 / 1024);
  return [
    `${Math.round(violations.seconds)} s, slice ${slice + 1}/${slices}:`,
    faults.length === 0 ? 'no faults;' : `${faults.join(', ')};`,
    `turns ${succeeded} ok, ${failed} failed, ${refused} refused;`,
    `calls ${tally.calls.ok} ok, ${tally.calls.failed} failed, ${tally.calls.refused} refused;`,
    `heap ${mb(sample?.heapBytes)} MB of ${mb(sample?.rssBytes)} MB, ${String(sample?.openFiles ?? '?')} files, ${sample?.resources ?? 0} handles;`,
    `${violations.list.length} violations`,
  ].join(' ');
}

function outcomeOf({
  world,
  traffic,
  samples,
  records,
  leftOut,
  options,
}: {
  readonly world: World;
  readonly traffic: Traffic;
  readonly samples: readonly Sample[];
  readonly records: readonly FaultRecord[];
  readonly leftOut: readonly string[];
  readonly options: SoakOptions;
}): SoakOutcome {
  const { violations, tally, effects, door, readers, disk } = world;
  const { seed, minutes, rate } = options;
  return {
    seed,
    minutes,
    rate,
    seconds: Math.round(violations.seconds),
    diskFull: disk.how,
    leftOut,
    acts: traffic.acts,
    answers: door.answers,
    turnedAway: door.turnedAway,
    mostOpen: door.mostOpen,
    turns: tally.turns,
    toldCalls: tally.toldCalls,
    calls: tally.calls,
    effects: effects.counts,
    events: readers.map(({ order }) => order.counts),
    faults: records,
    samples,
    invariants: violations.summary,
    violations: violations.list,
  };
}
