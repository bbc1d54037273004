import { setTimeout as sleep } from 'node:timers/promises';
import { CIRCUIT_DEFAULTS } from '@holdfast/core/guard';
import { FleetReplica } from './fleet-replica.ts';
import type { ReplicaCounts, ReplicaSettings } from './fleet-replica.ts';

/** Half of the replicas live in the future, the others in the past. */
const SKEW_MS = 600_000;
const LOOK_EVERY_MS = 10;
const LONGEST_ERROR = 4_000;

/** Processes that are the replicas of one fleet. */
export class FleetProcesses {
  replicas: readonly FleetReplica[];

  private constructor(replicas: readonly FleetReplica[]) {
    this.replicas = replicas;
  }

  /** One for each address of a Redis, with clocks that are ten minutes fast and ten minutes slow in turns. */
  static async start(urls: readonly string[]): Promise<FleetProcesses> {
    const starting = urls.map((url, index) =>
      FleetReplica.start({
        url,
        replica: `replica-${index}`,
        skewMs: (index % 2 === 0 ? 1 : -1) * SKEW_MS,
      }),
    );
    return new FleetProcesses(await Promise.all(starting));
  }

  async onAll(order: (replica: FleetReplica) => Promise<void>): Promise<void> {
    await Promise.all(this.replicas.map(order));
  }

  lookAtAll(): Promise<ReplicaCounts[]> {
    return Promise.all(this.replicas.map((replica) => replica.look()));
  }

  /** Looks at all replicas until they are as wanted, and returns how long that took. */
  async until(
    isWanted: (seen: readonly ReplicaCounts[]) => boolean | Promise<boolean>,
    withinMs: number,
  ): Promise<number> {
    const startedAt = performance.now();
    for (;;) {
      const seen = await this.lookAtAll();
      const isThere = await isWanted(seen);
      const took = performance.now() - startedAt;
      if (isThere) return took;
      if (took > withinMs)
        throw new Error(`after ${took} ms: ${JSON.stringify(seen).slice(0, LONGEST_ERROR)}`);
      await sleep(LOOK_EVERY_MS);
    }
  }

  /** Every replica knows the circuits and that they are closed, and nothing has been counted yet. */
  async prepare(names: readonly string[], settings: ReplicaSettings): Promise<void> {
    await this.onAll((replica) => replica.set({ names, ...settings }));
    for (const name of names) await this.onAll((replica) => replica.meet(name));
    const isKnown = ({ openings }: ReplicaCounts): boolean =>
      names.every((name) => name in openings);
    await this.until((seen) => seen.every(isKnown), 10_000);
  }

  /** One replica fails as often as it takes to open. */
  async trip(name: string): Promise<void> {
    for (let failure = 0; failure < CIRCUIT_DEFAULTS.consecutiveFailures; failure++)
      await this.replicas[0]!.call(name);
  }

  /** Ends one as a crash would. */
  async kill(replica: FleetReplica): Promise<void> {
    this.replicas = this.replicas.filter((one) => one !== replica);
    await replica.kill();
  }

  async killAll(): Promise<void> {
    await Promise.all(this.replicas.map((replica) => replica.kill()));
  }
}

/** Whether a circuit has the state on every replica. */
export const allAre =
  (name: string, state: string) =>
  (seen: readonly ReplicaCounts[]): boolean =>
    seen.every(({ states }) => states[name] === state);
