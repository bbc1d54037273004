import { ManualClock } from '../testing/manual-clock.ts';

/** Knows how many timers were set that keep the process alive. */
export class BackgroundTimers extends ManualClock {
  keepingAlive = 0;

  override setTimer(callback: () => void, delayMs: number, isBackground = false): () => void {
    if (!isBackground) this.keepingAlive++;
    return super.setTimer(callback, delayMs);
  }
}
