/** Between two tellings: often enough to look live, seldom enough that a flood of events costs little. */
const BETWEEN_MS = 150;
/** A page that is not looked at draws no frames; what it would have been told is cut to the newest. */
const MOST_KEPT = 2_000;

/** Collects what comes and tells it together, with a frame that is drawn anyway. */
export class FrameBatch<T> {
  readonly #tell: (items: readonly T[]) => void;
  readonly #betweenMs: number;
  #items: T[] = [];
  #isScheduled = false;

  constructor(tell: (items: readonly T[]) => void, betweenMs = BETWEEN_MS) {
    this.#tell = tell;
    this.#betweenMs = betweenMs;
  }

  add(item: T): void {
    this.#items.push(item);
    if (this.#items.length > 2 * MOST_KEPT) this.#items = this.#items.slice(-MOST_KEPT);
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setTimeout(() => {
      requestAnimationFrame(() => {
        this.#isScheduled = false;
        const items = this.#items;
        this.#items = [];
        this.#tell(items);
      });
    }, this.#betweenMs);
  }
}
