import type { Clock } from '@holdfast/core';

/**
 * A clock that begins in the past and runs fast until it has caught up with the present: what would take a quarter
 * of an hour to see is there in half a minute.
 */
export class CatchUpClock implements Clock {
  readonly #behindMs: number;
  readonly #takesMs: number;
  #startedAt = Infinity;

  constructor(behindMs: number, takesMs: number) {
    this.#behindMs = behindMs;
    this.#takesMs = takesMs;
  }

  /** Until then it stays as far in the past as it is. */
  begin(): void {
    this.#startedAt = performance.now();
  }

  get hasCaughtUp(): boolean {
    return performance.now() - this.#startedAt >= this.#takesMs;
  }

  now(): number {
    return performance.now() + this.#behindMs - this.#lag();
  }

  wallTime(): number {
    return Date.now() - this.#lag();
  }

  setTimer(callback: () => void, delayMs: number, inBackground = false): () => void {
    const timer = setTimeout(callback, this.#realDelay(delayMs));
    if (inBackground) timer.unref();
    return () => clearTimeout(timer);
  }

  get #elapsedMs(): number {
    return Math.max(0, performance.now() - this.#startedAt);
  }

  /** How far in the past it is. */
  #lag(): number {
    return this.#behindMs * Math.max(0, 1 - this.#elapsedMs / this.#takesMs);
  }

  #realDelay(delayMs: number): number {
    if (this.#startedAt === Infinity) return delayMs;
    const leftMs = Math.max(0, this.#takesMs - this.#elapsedMs);
    const speed = 1 + this.#behindMs / this.#takesMs;
    const fast = Math.min(leftMs, delayMs / speed);
    return fast + Math.max(0, delayMs - fast * speed);
  }
}
