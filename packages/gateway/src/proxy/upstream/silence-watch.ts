import type { Clock } from '@holdfast/core';

/**
 * Notices when no content comes for too long, while it is waited for. It has one timer, which looks at when content
 * came last: setting a new one for every chunk would cost more than passing the chunk on.
 */
export class SilenceWatch {
  readonly #clock: Clock;
  readonly #onSilence: () => void;
  /** Whether content came at all. */
  hasHeard = false;
  #limitMs: number;
  #lastAt: number;
  /** Since when nothing is waited for. */
  #pausedAt: number | undefined;
  #cancel: (() => void) | undefined;

  /** From now on, so much silence is too much. */
  constructor(clock: Clock, limitMs: number, onSilence: () => void) {
    this.#clock = clock;
    this.#onSilence = onSilence;
    this.#limitMs = limitMs;
    this.#lastAt = clock.now();
    this.#wait(limitMs);
  }

  get limitMs(): number {
    return this.#limitMs;
  }

  /** Content came; from now on, so much silence is too much. */
  heard(limitMs: number): void {
    this.hasHeard = true;
    this.#lastAt = this.#pausedAt ?? this.#clock.now();
    if (limitMs === this.#limitMs) return;
    this.#limitMs = limitMs;
    this.stop();
    if (this.#pausedAt === undefined) this.#wait(limitMs);
  }

  /** Nothing is waited for until `resume`: time that we or the client take does not count. */
  pause(): void {
    this.#pausedAt ??= this.#clock.now();
  }

  resume(): void {
    if (this.#pausedAt === undefined) return;
    this.#lastAt += this.#clock.now() - this.#pausedAt;
    this.#pausedAt = undefined;
    if (this.#cancel === undefined) this.#wait(this.#leftMs);
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  get #leftMs(): number {
    return this.#lastAt + this.#limitMs - this.#clock.now();
  }

  #wait(delayMs: number): void {
    this.#cancel = this.#clock.setTimer(
      () => {
        this.#cancel = undefined;
        if (this.#pausedAt !== undefined) return;
        if (this.#leftMs > 0) this.#wait(this.#leftMs);
        else this.#onSilence();
      },
      delayMs,
      true,
    );
  }
}
