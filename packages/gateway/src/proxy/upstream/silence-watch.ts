import type { Clock } from '@holdfast/core';

/**
 * Notices when nothing comes for too long. It has one timer, which looks at when something came last: setting
 * one anew for every chunk would cost more than passing the chunk on.
 */
export class SilenceWatch {
  readonly #clock: Clock;
  readonly #onSilence: () => void;
  #limitMs = 0;
  #lastAt = 0;
  #cancel: (() => void) | undefined;

  constructor(clock: Clock, onSilence: () => void) {
    this.#clock = clock;
    this.#onSilence = onSilence;
  }

  /** From now on, so much silence is too much. */
  start(limitMs: number): void {
    this.stop();
    this.#limitMs = limitMs;
    this.#lastAt = this.#clock.now();
    this.#wait(limitMs);
  }

  /** Something came. */
  heard(): void {
    this.#lastAt = this.#clock.now();
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #wait(delayMs: number): void {
    this.#cancel = this.#clock.setTimer(
      () => {
        const leftMs = this.#lastAt + this.#limitMs - this.#clock.now();
        if (leftMs > 0) this.#wait(leftMs);
        else this.#onSilence();
      },
      delayMs,
      true,
    );
  }
}
