const FIRST_MS = 500;
const LONGEST_MS = 8_000;

/**
 * How long to wait before the next attempt, after so many that failed. Up to a fifth less, by chance: pages that
 * lost one gateway do not all come back at once.
 */
export function backoffMs(failures: number, random: () => number = Math.random): number {
  const full = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.max(0, failures - 1));
  return Math.round(full * (1 - random() / 5));
}
