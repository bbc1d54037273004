import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What `node --cpu-prof` writes, as far as it is read here. */
export interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string };
  }[];
  /** Ids of nodes, one for each look at the stack. */
  readonly samples: readonly number[];
  /** Microseconds since the look before. */
  readonly timeDeltas: readonly number[];
}

/** Of the process that wrote the most: one that forks leaves several. */
export function readCpuProfile(folder: string): CpuProfile {
  const profiles = readdirSync(folder)
    .filter((name) => name.endsWith('.cpuprofile'))
    .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as CpuProfile)
    .sort((one, other) => other.samples.length - one.samples.length);
  const [longest] = profiles;
  if (longest === undefined) throw new Error(`expected a .cpuprofile in ${folder}, found none`);
  return longest;
}

/** The share of time, from 0 to 1, that was spent in the code of these files itself. */
export function shareOf(profile: CpuProfile, file: RegExp): number {
  const ids = new Set(
    profile.nodes.filter(({ callFrame }) => file.test(callFrame.url)).map(({ id }) => id),
  );
  let inside = 0;
  let all = 0;
  for (const [at, id] of profile.samples.entries()) {
    const took = Math.max(0, profile.timeDeltas[at] ?? 0);
    all += took;
    if (ids.has(id)) inside += took;
  }
  return inside / all;
}
