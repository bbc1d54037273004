/** The requests that are being answered, so that a shutdown can wait for them, and end those that take too long. */
export class RunningRequests {
  readonly #controllers = new Set<AbortController>();
  #waiting: (() => void)[] = [];

  get size(): number {
    return this.#controllers.size;
  }

  add(controller: AbortController): void {
    this.#controllers.add(controller);
  }

  delete(controller: AbortController): void {
    this.#controllers.delete(controller);
    if (this.size > 0) return;
    for (const resolve of this.#waiting) resolve();
    this.#waiting = [];
  }

  /** Resolves when none is left. */
  settled(): Promise<void> {
    if (this.size === 0) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  abortAll(reason: Error): void {
    for (const controller of this.#controllers) controller.abort(reason);
  }
}
