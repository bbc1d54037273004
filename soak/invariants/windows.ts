/** When something was the case, so that what overlaps with it can be judged by it. */
export class Windows {
  readonly #closed: { readonly from: number; readonly to: number }[] = [];
  readonly #afterMs: number;
  #openedAt: number | undefined;

  /** @param afterMs - how long it still counts when it is over */
  constructor(afterMs = 0) {
    this.#afterMs = afterMs;
  }

  open(): void {
    this.#openedAt ??= performance.now();
  }

  close(): void {
    if (this.#openedAt === undefined) return;
    this.#closed.push({ from: this.#openedAt, to: performance.now() + this.#afterMs });
    this.#openedAt = undefined;
  }

  /** Whether it was the case at any time since then. */
  touches(since: number): boolean {
    return this.#openedAt !== undefined || this.#closed.some(({ to }) => to >= since);
  }
}
