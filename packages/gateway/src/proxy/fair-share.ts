import { setImmediate as nextTurn } from 'node:timers/promises';

/** How long one answer may be read before the others have their turn. */
const SHARE_MS = 8;

/**
 * Keeps an answer that is costly to read from holding up all others. What has arrived is read without a pause, and a
 * server that sends fast has sent a megabyte by then.
 */
export class FairShare {
  #usedMs = 0;
  #startedAt = 0;

  /** Work begins. */
  begin(): void {
    this.#startedAt = performance.now();
  }

  /** Whether what was done since it began is enough for now. */
  isUsedUp(): boolean {
    const now = performance.now();
    this.#usedMs += now - this.#startedAt;
    this.#startedAt = now;
    return this.#usedMs >= SHARE_MS;
  }

  /** Resolves after everything else that waits. */
  async rest(): Promise<void> {
    await nextTurn();
    this.#usedMs = 0;
    this.begin();
  }
}
