import { AttemptWatch } from '@holdfast/core/guard';

/**
 * The watch over one attempt of a call. Whoever can stop the work by itself is told by `onStop`, which costs
 * nothing; a signal costs more than the way to the server, and is made only where somebody looks at it.
 */
export class CallWatch extends AttemptWatch {
  /** Told when the time is up or nobody waits any more. It may be told of work that has ended. */
  onStop: ((reason: unknown) => void) | undefined;
  /** Why the attempt was stopped, or may have been after its end. */
  stopped: { readonly reason: unknown } | undefined;

  override stop(reason: unknown): void {
    super.stop(reason);
    this.stopped = { reason };
    this.onStop?.(reason);
  }
}
