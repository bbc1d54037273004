import { setImmediate as nextTurn } from 'node:timers/promises';

/** How long one job may run before the others have their turn. */
const SHARE_MS = 8;

/** What is shorter is worked on at once, which takes a few milliseconds at most. In bytes or characters. */
export const LARGE: number = 256 * 1024;

/** Resolves when the last of those that rest goes on. */
let lastRest: Promise<unknown> = Promise.resolve();

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

  /** Resolves after everything else that waits. Of several costly jobs one goes on at a time. */
  async rest(): Promise<void> {
    const rest = lastRest.then(() => nextTurn());
    lastRest = rest;
    await rest;
    this.#usedMs = 0;
    this.begin();
  }
}

/** Lets others have their turn before work on something large goes on. */
export async function restBefore(length: number): Promise<void> {
  if (length > LARGE) await new FairShare().rest();
}

/** Runs steps to their end, and lets others have their turn between them. */
export async function inTurns<Result>(
  steps: Iterator<unknown, Result, undefined>,
  share: FairShare = begunShare(),
): Promise<Result> {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
    if (share.isUsedUp()) await share.rest();
  }
}

function begunShare(): FairShare {
  const share = new FairShare();
  share.begin();
  return share;
}
