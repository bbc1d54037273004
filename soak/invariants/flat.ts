import type { Violations } from './violations.ts';

/** What the gateway held when nothing was asked of it. */
export interface Sample {
  readonly atSeconds: number;
  readonly heapBytes: number;
  /** Buffers, which are not on the heap. Undefined in results of before they were counted. */
  readonly externalBytes: number | undefined;
  readonly rssBytes: number;
  /** Undefined where the system does not tell. */
  readonly openFiles: number | undefined;
  /** Handles and requests of its event loop. */
  readonly resources: number;
  /** The same, by kind. */
  readonly kinds: Readonly<Record<string, number>>;
}

/** By how much the last third may be above the first: a share of it, or so much, whichever is more. */
interface Allowance {
  readonly share: number;
  readonly amount: number;
}

const MB = 1024 * 1024;

type Counted = 'heapBytes' | 'externalBytes' | 'rssBytes' | 'openFiles' | 'resources';

const ALLOWED: Readonly<Record<Counted, Allowance>> = {
  heapBytes: { share: 0.1, amount: 8 * MB },
  externalBytes: { share: 0.1, amount: 4 * MB },
  rssBytes: { share: 0.25, amount: 40 * MB },
  openFiles: { share: 0, amount: 6 },
  resources: { share: 0, amount: 6 },
};

/** The first third beside the last, each by its median. */
export interface Growth {
  readonly what: Counted;
  readonly first: number;
  readonly last: number;
  readonly isFlat: boolean;
}

/** How what was held grew, behind the first sample, before which all was new. Empty for too few samples. */
export function growthOf(samples: readonly Sample[]): readonly Growth[] {
  const warm = samples.slice(1);
  const third = Math.floor(warm.length / 3);
  if (third === 0) return [];
  const whats = Object.keys(ALLOWED) as Counted[];
  return whats.flatMap((what) => {
    const values = warm.flatMap((sample) => sample[what] ?? []);
    if (values.length < warm.length) return [];
    const first = median(values.slice(0, third));
    const last = median(values.slice(-third));
    const { share, amount } = ALLOWED[what];
    return { what, first, last, isFlat: last - first <= Math.max(first * share, amount) };
  });
}

/** Memory and handles do not grow. */
export function checkFlat(samples: readonly Sample[], violations: Violations): void {
  for (const { what, first, last, isFlat } of growthOf(samples)) {
    violations.check(
      'flat',
      isFlat,
      () =>
        `${what} grew from ${first} in the first third to ${last} in the last; handles at the end: ${JSON.stringify(samples.at(-1)?.kinds)}`,
    );
  }
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
