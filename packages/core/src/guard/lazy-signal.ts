/**
 * An AbortSignal that is made only when it is looked at: most work never does, and making one costs several
 * times what the rest of a guarded call does. It aborts with the caller's signal, or by `abort`.
 */
export class LazySignal {
  readonly #outer: AbortSignal | undefined;
  readonly #onOuterAbort: ((reason: unknown) => void) | undefined;
  #controller: AbortController | undefined;
  #isAborted = false;
  #reason: unknown;
  #isListening = false;
  #isReleased = false;

  /** With `onOuterAbort` the caller's signal is listened to at once, else from when this one is looked at. */
  constructor(outer?: AbortSignal, onOuterAbort?: (reason: unknown) => void) {
    this.#outer = outer;
    this.#onOuterAbort = onOuterAbort;
    if (onOuterAbort !== undefined) this.#follow();
  }

  get signal(): AbortSignal {
    if (this.#controller !== undefined) return this.#controller.signal;
    this.#controller = new AbortController();
    if (this.#isAborted) this.#controller.abort(this.#reason);
    else this.#follow();
    return this.#controller.signal;
  }

  /** Tells the work to stop. The first reason counts. */
  abort(reason: unknown): void {
    if (this.#isAborted) return;
    this.#isAborted = true;
    this.#reason = reason;
    this.release();
    this.#controller?.abort(reason);
  }

  /** The work is over: the caller's signal, which may live as long as the process, must not keep it. */
  release(): void {
    this.#isReleased = true;
    if (!this.#isListening) return;
    this.#isListening = false;
    this.#outer?.removeEventListener('abort', this);
  }

  /** The caller's signal aborted. */
  handleEvent(): void {
    const reason: unknown = this.#outer?.reason;
    this.#onOuterAbort?.(reason);
    this.abort(reason);
  }

  #follow(): void {
    const outer = this.#outer;
    if (outer === undefined || this.#isListening || this.#isReleased) return;
    if (outer.aborted) {
      this.handleEvent();
      return;
    }
    this.#isListening = true;
    outer.addEventListener('abort', this);
  }
}
