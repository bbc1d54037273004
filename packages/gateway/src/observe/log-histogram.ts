/** Eight steps double a duration, so that a percentile is right within five per cent. */
const STEPS = 8;
/** A quarter of a millisecond; what is shorter counts as that. */
const SHORTEST_LOG2 = -2;
/** Up to more than an hour; what is longer counts as that. */
const BUCKETS = 24 * STEPS;

/** How long things took, in steps that grow: so many numbers, however much is counted. */
export class LogHistogram {
  readonly #counts = new Uint32Array(BUCKETS);
  #total = 0;

  get total(): number {
    return this.#total;
  }

  add(ms: number): void {
    const step = Math.floor((Math.log2(ms) - SHORTEST_LOG2) * STEPS);
    // The logarithm of 0 is no number that can be counted under.
    const bucket = step >= 0 ? Math.min(step, BUCKETS - 1) : 0;
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1;
    this.#total++;
  }

  /** Adds all that another one counted. */
  addAll(other: LogHistogram): void {
    for (const [bucket, count] of other.#counts.entries()) {
      if (count > 0) this.#counts[bucket] = (this.#counts[bucket] ?? 0) + count;
    }
    this.#total += other.#total;
  }

  /** What was counted: pairs of a step and how often. */
  toPairs(): [step: number, times: number][] {
    return [...this.#counts.entries()].filter(([, times]) => times > 0);
  }

  /** Adds what `toPairs` gave; what is no such pair is left out. */
  addPairs(pairs: unknown): void {
    for (const pair of Array.isArray(pairs) ? (pairs as readonly unknown[]) : []) {
      const [step, times] = Array.isArray(pair) ? (pair as readonly unknown[]) : [];
      if (!isCount(step) || !isCount(times) || step >= BUCKETS) continue;
      this.#counts[step] = (this.#counts[step] ?? 0) + times;
      this.#total += times;
    }
  }

  clear(): void {
    if (this.#total === 0) return;
    this.#counts.fill(0);
    this.#total = 0;
  }

  /** The duration that such a share did not exceed; null where nothing was counted. */
  percentile(share: number): number | null {
    if (this.#total === 0) return null;
    const rank = Math.max(1, Math.ceil(share * this.#total));
    let seen = 0;
    for (const [bucket, count] of this.#counts.entries()) {
      seen += count;
      if (seen >= rank) return rounded(2 ** ((bucket + 0.5) / STEPS + SHORTEST_LOG2));
    }
    return null;
  }
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

/** Three digits, as it is not known any better. */
function rounded(ms: number): number {
  return Number(ms.toPrecision(3));
}
