/** Tries that a noisy machine gets: a slow one costs time, never a verdict. */
const MAX_TRIES = 12;

/** How much longer the same work may take on twice the input, as a factor. */
const MAX_PER_DOUBLING = 2.3;

/** Four doublings: what is quadratic takes 256 times as long, and no collection of garbage looks like that. */
const DOUBLINGS = 4;

/** Below this a clock says nothing of growth. */
const NOISE_MS = 1;

/** What was measured: the best times seen, of `length` and of sixteen times as much. */
export interface Growth {
  readonly shortMs: number;
  readonly longMs: number;
  /** Whether the time grows with the length, and no faster. */
  readonly isLinear: boolean;
}

/** Times the work on real input, of `length` and of sixteen times `length`, as often as it takes to be sure. */
export function measureGrowth(work: (length: number) => void, length: number): Growth {
  let shortMs = Infinity;
  let longMs = Infinity;
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    shortMs = Math.min(
      shortMs,
      timeOf(() => work(length)),
    );
    longMs = Math.min(
      longMs,
      busyTimeOf(() => work(length * 2 ** DOUBLINGS)),
    );
    const isLinear = longMs <= NOISE_MS || longMs <= shortMs * MAX_PER_DOUBLING ** DOUBLINGS;
    if (isLinear) return { shortMs, longMs, isLinear };
  }
  return { shortMs, longMs, isLinear: false };
}

/** How long work took, in milliseconds. */
export function timeOf(work: () => void): number {
  const startedAt = performance.now();
  work();
  return performance.now() - startedAt;
}

/** The same without the time in which others had the processor, which short work is spared and long work is not. */
function busyTimeOf(work: () => void): number {
  const before = process.cpuUsage();
  const tookMs = timeOf(work);
  const { user, system } = process.cpuUsage(before);
  // Other threads of this process are among it: it may be more than has passed.
  return Math.min(tookMs, (user + system) / 1000);
}
