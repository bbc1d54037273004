/** What reading costs others at most: a server over its limit is heard at about 14,000 short messages a second. */
const MS_PER_MESSAGE = 0.05;
const BYTES_PER_MS = 1300;
/** Pauses that would be shorter are added up. */
const SHORTEST_MS = 10;
const LONGEST_MS = 200;

/** How long a server that sends more than it may is not read, so that it takes little of the time of others. */
export class ReadPace {
  #isOver = false;
  #owedMs = 0;

  /** A message over the limit was read. */
  slowDown(): void {
    this.#isOver = true;
    this.#owedMs += MS_PER_MESSAGE;
  }

  /** Returns how long to wait before the next read, after one of so many bytes. */
  pauseAfter(bytes: number): number {
    if (!this.#isOver) return 0;
    this.#isOver = false;
    const owedMs = this.#owedMs + bytes / BYTES_PER_MS;
    this.#owedMs = owedMs < SHORTEST_MS ? owedMs : 0;
    return owedMs < SHORTEST_MS ? 0 : Math.min(owedMs, LONGEST_MS);
  }
}
