/** When something was the case, so that what overlaps with it can be judged by it. */
export class Windows {
  readonly #closed: { readonly from: number; readonly to: number }[] = [];
  readonly #afterMs: number;
  #openedAt = 0;
  /** How many have opened it and not closed it. */
  #depth = 0;

  /** @param afterMs - how long it still counts when it is over */
  constructor(afterMs = 0) {
    this.#afterMs = afterMs;
  }

  open(): void {
    if (this.#depth++ === 0) this.#openedAt = performance.now();
  }

  close(): void {
    if (this.#depth === 0 || --this.#depth > 0) return;
    this.#closed.push({ from: this.#openedAt, to: performance.now() + this.#afterMs });
  }

  /** Whether it was the case at any time since then. */
  touches(since: number): boolean {
    return this.#depth > 0 || this.#closed.some(({ to }) => to >= since);
  }
}
