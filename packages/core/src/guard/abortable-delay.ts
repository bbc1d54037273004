import type { Clock } from '../internal/clock.ts';

/** Waits. When the signal aborts it throws the signal's reason at once, and leaves no timer and no listener. */
export async function abortableDelay(
  delayMs: number,
  clock: Clock,
  signal?: AbortSignal,
): Promise<void> {
  signal?.throwIfAborted();
  await new Promise<void>((resolve) => {
    const end = (): void => {
      cancelTimer();
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const cancelTimer = clock.setTimer(end, delayMs);
    signal?.addEventListener('abort', end);
  });
  signal?.throwIfAborted();
}
