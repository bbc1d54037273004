import { branchesEnd, counters, coveredModules } from '../instrument/coverage.ts';

/** How often a branch was taken, roughly: more often is another way through, a little more often is not. */
const BUCKETS = 8;

function bucketOf(count: number): number {
  if (count < 4) return count - 1;
  if (count < 8) return 3;
  if (count < 16) return 4;
  if (count < 32) return 5;
  return count < 128 ? 6 : 7;
}

/** The branch of a pair of branch and bucket. */
export function branchOf(feature: number): number {
  return Math.floor(feature / BUCKETS);
}

/** A look at what an input did. */
export interface EdgeLook {
  /** How many branches were taken, each as often as it was: what the input cost, on any machine. */
  readonly steps: number;
  /** Whether a branch was taken, or taken so often, for the first time. */
  readonly isNew: boolean;
}

/** Remembers which branches were ever taken, and how often at once. */
export class EdgeMap {
  /** A bit for each bucket of each branch. */
  readonly #seen = new Uint8Array(counters.length);
  #features = 0;

  /** How many branches were ever taken. */
  get edges(): number {
    return this.#seen.reduce((sum, bits) => (bits === 0 ? sum : sum + 1), 0);
  }

  /** How many pairs of a branch and how often it was taken there are. */
  get features(): number {
    return this.#features;
  }

  /** What was run since `clear`. */
  look(): EdgeLook {
    const seen = this.#seen;
    const end = branchesEnd();
    let steps = 0;
    let isNew = false;
    for (let at = 0; at < end; at++) {
      const count = counters[at];
      if (count === undefined || count === 0) continue;
      steps += count;
      isNew ||= ((seen[at] ?? 0) & (1 << bucketOf(count))) === 0;
    }
    return { steps, isNew };
  }

  /** All pairs of branch and bucket that were run since `clear`. */
  current(): number[] {
    const found: number[] = [];
    const end = branchesEnd();
    for (let at = 0; at < end; at++) {
      const count = counters[at];
      if (count !== undefined && count !== 0) found.push(at * BUCKETS + bucketOf(count));
    }
    return found;
  }

  has(feature: number): boolean {
    const bits = this.#seen[branchOf(feature)] ?? 0;
    return (bits & (1 << (feature % BUCKETS))) !== 0;
  }

  /** Remembers these. Returns those that are new. */
  add(features: readonly number[]): number[] {
    const fresh = features.filter((feature) => !this.has(feature));
    for (const feature of fresh) {
      const at = branchOf(feature);
      this.#seen[at] = (this.#seen[at] ?? 0) | (1 << (feature % BUCKETS));
    }
    this.#features += fresh.length;
    return fresh;
  }

  clear(): void {
    counters.fill(0, 0, branchesEnd());
  }

  /** How many branches of these files there are, and how many of them were taken. */
  within(sources: readonly string[]): { taken: number; all: number } {
    let taken = 0;
    let all = 0;
    for (const { file, first, count } of coveredModules()) {
      if (!sources.some((source) => file.startsWith(source))) continue;
      all += count;
      for (let at = first; at < first + count; at++) if ((this.#seen[at] ?? 0) !== 0) taken++;
    }
    return { taken, all };
  }
}

/** The texts that stand in these files. */
export function wordsIn(sources: readonly string[]): string[] {
  const words = coveredModules()
    .filter(({ file }) => sources.some((source) => file.startsWith(source)))
    .flatMap((module) => module.words);
  return [...new Set(words)];
}
