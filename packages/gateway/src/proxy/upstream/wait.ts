import type { Clock } from '@holdfast/core';

/** Waits. Where the signal aborts, it throws the signal's reason at once, and leaves no timer and no listener. */
export async function wait(delayMs: number, clock: Clock, signal: AbortSignal): Promise<void> {
  const until = clock.now() + delayMs;
  // Timers count in whole milliseconds and may come a little early, when it is not yet time to ask again.
  for (let leftMs = delayMs; leftMs > 0; leftMs = until - clock.now())
    await sleep(Math.ceil(leftMs), clock, signal);
}

async function sleep(delayMs: number, clock: Clock, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  await new Promise<void>((resolve) => {
    const end = (): void => {
      cancel();
      signal.removeEventListener('abort', end);
      resolve();
    };
    const cancel = clock.setTimer(end, delayMs);
    signal.addEventListener('abort', end);
  });
  signal.throwIfAborted();
}
