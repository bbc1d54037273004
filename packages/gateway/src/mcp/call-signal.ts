type Listener = ((event: Event) => void) | { handleEvent(event: Event): void };

/**
 * An AbortSignal for calls, nearly all of which are never taken back: making a native one, with its controller, costs
 * more than the way through the gateway. It does all that those do who follow a signal by `aborted`, `reason` and the
 * event; what only takes native ones (`fetch`, `AbortSignal.any`) is to be given one of its own that follows it.
 */
export class CallSignal implements AbortSignal {
  onabort: AbortSignal['onabort'] = null;
  #isAborted = false;
  #reason: unknown;
  #listeners: Listener[] | undefined;

  get aborted(): boolean {
    return this.#isAborted;
  }

  get reason(): unknown {
    return this.#reason;
  }

  throwIfAborted(): void {
    if (this.#isAborted) throw this.#reason;
  }

  addEventListener(type: string, listener: Listener | null): void {
    if (type !== 'abort' || listener === null || this.#isAborted) return;
    this.#listeners ??= [];
    if (!this.#listeners.includes(listener)) this.#listeners.push(listener);
  }

  removeEventListener(type: string, listener: Listener | null): void {
    const at = type === 'abort' && listener !== null ? this.#listeners?.indexOf(listener) : -1;
    if (at !== undefined && at !== -1) this.#listeners?.splice(at, 1);
  }

  /** Events come from `abort` alone. */
  dispatchEvent(): boolean {
    return true;
  }

  /** The first reason counts. */
  abort(reason: unknown): void {
    if (this.#isAborted) return;
    this.#isAborted = true;
    this.#reason = reason ?? new DOMException('This operation was aborted', 'AbortError');
    const listeners = this.#listeners ?? [];
    this.#listeners = undefined;
    const event = new Event('abort');
    for (const listener of listeners) {
      if (typeof listener === 'function') listener.call(this, event);
      else listener.handleEvent(event);
    }
  }
}
