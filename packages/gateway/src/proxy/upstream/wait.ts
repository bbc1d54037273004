import type { Clock } from '@holdfast/core';

/** Waits. Where the signal aborts, it throws the signal's reason at once, and leaves no timer and no listener. */
export async function wait(delayMs: number, clock: Clock, signal: AbortSignal): Promise<void> {
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
